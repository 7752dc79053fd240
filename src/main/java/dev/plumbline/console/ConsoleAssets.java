package dev.plumbline.console;

import org.springframework.context.annotation.Configuration;
import org.springframework.http.CacheControl;
import org.springframework.web.reactive.config.ResourceHandlerRegistry;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.resource.LiteWebJarsResourceResolver;

/** The library of the page, from its package and from this server; the version is the dependency's. */
@Configuration(proxyBeanMethods = false)
class ConsoleAssets implements WebFluxConfigurer {

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        registry.addResourceHandler("/ui/lib/**")
                .addResourceLocations("classpath:/META-INF/resources/webjars/")
                .setCacheControl(CacheControl.noCache())
                .resourceChain(true)
                .addResolver(new LiteWebJarsResourceResolver());
    }
}
