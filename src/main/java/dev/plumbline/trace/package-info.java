/**
 * What a selection trace is: which queries are asked about, which texts are watched, and what came out for them. Plain
 * arithmetic on host arrays; the engine reads the numbers from its kernels.
 */
package dev.plumbline.trace;
