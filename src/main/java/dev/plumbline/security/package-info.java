/** Who may call: one bearer key, kept as a hash; only health and Swagger UI's files are open. */
package dev.plumbline.security;
