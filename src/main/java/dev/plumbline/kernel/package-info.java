/**
 * The contract between the forward pass and the machine: tensors, weights and the kernels of the architecture at the
 * grain of the paper's steps. Every backend passes the same conformance kit. Plain Java.
 */
package dev.plumbline.kernel;
