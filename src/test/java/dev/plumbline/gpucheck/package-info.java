/** The check of the backend cuda on a GPU machine: what {@code gpu-check} of the pack runs and writes down. */
package dev.plumbline.gpucheck;
