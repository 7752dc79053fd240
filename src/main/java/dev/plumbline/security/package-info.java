/** Who may call: one bearer key, kept as a hash; health alone is open. */
package dev.plumbline.security;
