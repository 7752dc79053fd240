package dev.plumbline.kernel.cuda;

/** A kernel variant loaded on a device. */
interface DeviceFunction {}
