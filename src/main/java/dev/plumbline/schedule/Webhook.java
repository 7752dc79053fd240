package dev.plumbline.schedule;

/**
 * Where events go.
 *
 * @param url http or https
 * @param secret that signs; null to keep or make one
 */
public record Webhook(String url, String secret) {}
