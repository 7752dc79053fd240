package dev.plumbline.cli;

import dev.plumbline.recall.sweep.SweepCsv;
import dev.plumbline.recall.sweep.SweepJson;
import dev.plumbline.recall.sweep.SweepResult;
import dev.plumbline.recall.sweep.SweepTable;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;

/** How a sweep is written. */
enum SweepFormat {
    TABLE(SweepTable::render),
    CSV(SweepCsv::render),
    JSON(SweepJson::render);

    private final Function<SweepResult, String> renderer;

    SweepFormat(Function<SweepResult, String> renderer) {
        this.renderer = renderer;
    }

    String render(SweepResult sweep) {
        return renderer.apply(sweep);
    }

    /** The format named, else the one the file's name ends in, else the table; both may be null. */
    static SweepFormat choose(String name, Path file) {
        if (name == null) {
            return Arrays.stream(values())
                    .filter(format -> file != null && file.toString().endsWith("." + format.spelled()))
                    .findFirst()
                    .orElse(TABLE);
        }
        return Arrays.stream(values())
                .filter(format -> format.spelled().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name + " is no format; allowed: table, csv, json"));
    }

    private String spelled() {
        return name().toLowerCase(Locale.ROOT);
    }
}
