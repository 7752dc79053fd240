// The description needs the key, and a browser cannot send one with a page: ask for it, keep it for this tab only.
window.addEventListener("load", () => {
  const stored = "plumbline.key";
  const key = sessionStorage.getItem(stored) || window.prompt("API key") || "";
  sessionStorage.setItem(stored, key);
  window.ui = SwaggerUIBundle({
    url: "/v3/api-docs",
    dom_id: "#swagger-ui",
    deepLinking: true,
    validatorUrl: null,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    layout: "StandaloneLayout",
    requestInterceptor: (request) => {
      request.headers.Authorization = "Bearer " + key;
      return request;
    },
    responseInterceptor: (response) => {
      if (response.status === 401) {
        sessionStorage.removeItem(stored);
      }
      return response;
    },
  });
});
