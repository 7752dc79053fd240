package dev.plumbline.kernel;

/** What a part of the kit needs from the test class of a backend. */
interface Conformance {

    /** A backend of two threads, fresh for every test. */
    Kit kit();

    /** Another backend, of the given number of threads (backends without host threads ignore it); the caller closes it. */
    Kernels backend(int threads);
}
