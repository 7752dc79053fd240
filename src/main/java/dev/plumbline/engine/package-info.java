/**
 * The engine: forward pass, caches, step loop, lanes and sampling over the kernel contract. Plain Java; one loop per loaded
 * model, and no other thread ever runs a kernel.
 */
package dev.plumbline.engine;
