package dev.plumbline.security;

import dev.plumbline.database.Database;
import dev.plumbline.database.OnceAnswered;
import org.springframework.stereotype.Component;

/** Makes the administrator at the first start on a database, as soon as that answers. */
@Component
final class FirstStart extends OnceAnswered {
    private final Database database;
    private final Access access;

    FirstStart(Database database, Access access) {
        super(database);
        this.database = database;
        this.access = access;
    }

    @Override
    protected void put() {
        Administrator.create(database).ifPresent(access.announce());
    }
}
