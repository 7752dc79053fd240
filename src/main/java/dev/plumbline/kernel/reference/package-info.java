/**
 * The reference backend: every kernel in plain Java, fp32 with the roundings that the flags ask for. The oracle of the
 * conformance kit, and fast enough to replay a prompt.
 */
package dev.plumbline.kernel.reference;
