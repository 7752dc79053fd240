/** The command line: one picocli command per subcommand of {@code ./plumbline}. */
package dev.plumbline.cli;
