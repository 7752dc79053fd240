package dev.plumbline.cli;

import dev.plumbline.database.Database;
import dev.plumbline.database.DatabaseUnavailableException;
import dev.plumbline.security.Administrator;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code reset-admin}: for whoever lost the administrator's password. */
@Command(
        name = "reset-admin",
        mixinStandardHelpOptions = true,
        description = "Gives the user admin a new password and a new API key; the key printed before stops working.")
final class ResetAdminCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private DataMixin data;

    @Override
    public Integer call() {
        try (Database database = data.open()) {
            CredentialsText.print(spec.commandLine().getOut(), Administrator.reset(database));
            return 0;
        } catch (DatabaseUnavailableException e) {
            throw new CliException(e.getMessage());
        }
    }
}
