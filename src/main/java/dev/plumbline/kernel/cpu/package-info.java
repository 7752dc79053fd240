/**
 * The {@code cpu} backend: own C++ kernels (folder native/) behind the {@link dev.plumbline.kernel.Kernels} contract,
 * reached by raw addresses through a thin JNI layer. Plain Java.
 */
package dev.plumbline.kernel.cpu;
