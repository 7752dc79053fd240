/**
 * The {@code cuda} backend: own kernels (folder native/cuda), compiled at run time for the device found and launched
 * through the driver API by JavaCPP's CUDA presets. Plain Java. What touches CUDA itself is behind {@link
 * dev.plumbline.kernel.cuda.Device}, so that the same kernels and launches also run emulated, without a GPU.
 */
package dev.plumbline.kernel.cuda;
