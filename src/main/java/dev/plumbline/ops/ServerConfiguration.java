package dev.plumbline.ops;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration;
import org.springframework.context.annotation.ComponentScan;

/** What the server consists of. Users are ours, hence no generated password. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = ReactiveUserDetailsServiceAutoConfiguration.class)
@ComponentScan({
    "dev.plumbline.api",
    "dev.plumbline.chat",
    "dev.plumbline.console",
    "dev.plumbline.conversation",
    "dev.plumbline.database",
    "dev.plumbline.http",
    "dev.plumbline.ops",
    "dev.plumbline.recall",
    "dev.plumbline.runconfig",
    "dev.plumbline.schedule",
    "dev.plumbline.security",
    "dev.plumbline.usage"
})
class ServerConfiguration {}
