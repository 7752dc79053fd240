/** The precision profile: which arithmetic and which storage a lane uses, validated before anything is built. Plain Java. */
package dev.plumbline.precision;
