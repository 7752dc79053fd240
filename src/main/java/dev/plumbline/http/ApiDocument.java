package dev.plumbline.http;

import io.swagger.v3.core.util.Yaml31;
import io.swagger.v3.oas.models.OpenAPI;
import java.io.IOException;
import java.io.InputStream;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Describes the API at {@code /v3/api-docs} and in Swagger UI. Requests are parsed by hand, so the description is
 * written by hand too; a test holds it to the parser and to real answers.
 */
@Configuration(proxyBeanMethods = false)
class ApiDocument {
    /** A browser cannot send the key with the page, so the page asks for it. */
    private static final String INITIALIZER = "/swagger-ui/swagger-initializer.js";

    @Bean
    OpenApiCustomizer openAiDescription() throws IOException {
        OpenAPI written;
        try (InputStream in = new ClassPathResource("openapi.yaml").getInputStream()) {
            written = Yaml31.mapper().readValue(in, OpenAPI.class);
        }
        return document -> document.info(written.getInfo())
                .servers(written.getServers())
                .tags(written.getTags())
                .security(written.getSecurity())
                .paths(written.getPaths())
                .components(written.getComponents());
    }

    @Bean
    RouterFunction<ServerResponse> swaggerInitializer() {
        ClassPathResource script = new ClassPathResource("swagger-initializer.js");
        return RouterFunctions.route()
                .GET(INITIALIZER, request -> ServerResponse.ok()
                        .contentType(MediaType.valueOf("text/javascript"))
                        .bodyValue(script))
                .build();
    }
}
