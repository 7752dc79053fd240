/**
 * The engine: forward pass, caches, scheduler and sampling over the kernel contract. Plain Java; one step loop per
 * loaded model, and no other thread ever runs a kernel.
 */
package dev.plumbline.engine;
