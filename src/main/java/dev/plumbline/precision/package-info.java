/**
 * The precision profile: which arithmetic and which storage a lane uses, validated before anything is built. Plain Java,
 * and free of other rooms.
 */
package dev.plumbline.precision;
