package dev.plumbline.cli;

import dev.plumbline.database.Database;
import dev.plumbline.database.DatabaseUnavailableException;
import dev.plumbline.runconfig.RunConfig;
import dev.plumbline.runconfig.RunConfigRef;
import dev.plumbline.runconfig.RunConfigs;
import dev.plumbline.runconfig.UnknownRunConfigException;

/** Run configs of a database, which is open only while one is read. */
record StoredConfigs(DataMixin data) implements ConfigArgument.Names {

    @Override
    public ConfigArgument find(RunConfigRef ref) {
        try (Database database = data.open()) {
            RunConfig config = new RunConfigs(database).one(ref).blockOptional().orElseThrow();
            return new ConfigArgument(config.id(), config.profile());
        } catch (UnknownRunConfigException | DatabaseUnavailableException e) {
            throw new CliException(e.getMessage());
        }
    }
}
