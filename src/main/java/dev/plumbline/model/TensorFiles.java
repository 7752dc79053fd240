package dev.plumbline.model;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** The safetensors files of a checkpoint: {@code model.safetensors}, or shards and the index that lists them. */
final class TensorFiles implements AutoCloseable {
    static final String SINGLE = "model.safetensors";
    static final String INDEX = "model.safetensors.index.json";

    private final List<SafetensorsFile> files = new ArrayList<>();
    private final Map<String, SafetensorsFile> byName = new LinkedHashMap<>();

    private TensorFiles() {}

    static TensorFiles open(Path directory) {
        TensorFiles all = new TensorFiles();
        try {
            if (Files.exists(directory.resolve(SINGLE))) {
                all.add(SafetensorsFile.open(directory.resolve(SINGLE)));
            } else if (Files.exists(directory.resolve(INDEX))) {
                all.addShards(directory);
            } else {
                throw new InvalidModelException(
                        directory.toString(), "holds neither " + SINGLE + " nor " + INDEX, null);
            }
            return all;
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
    }

    /** The file of each tensor, by stored name. */
    Map<String, SafetensorsFile> byName() {
        return byName;
    }

    @Override
    public void close() {
        files.forEach(SafetensorsFile::close);
    }

    private void add(SafetensorsFile file) {
        files.add(file);
        file.names().forEach(name -> byName.put(name, file));
    }

    private void addShards(Path directory) {
        JsonNode map = Json.readObject(directory.resolve(INDEX)).path("weight_map");
        if (!map.isObject()) {
            throw new InvalidModelException(INDEX, "weight_map is missing or no object", null);
        }
        List<String> problems = new ArrayList<>();
        Map<String, List<String>> namesByShard = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : map.properties()) {
            if (!entry.getValue().isString()) {
                problems.add("weight_map." + entry.getKey() + " is " + entry.getValue() + "; allowed: a file name");
                continue;
            }
            namesByShard
                    .computeIfAbsent(entry.getValue().stringValue(), shard -> new ArrayList<>())
                    .add(entry.getKey());
        }
        namesByShard.forEach((shard, names) -> addShard(directory, shard, names, problems));
        InvalidModelException.throwIfAny(INDEX, problems);
    }

    private void addShard(Path directory, String shard, Collection<String> names, List<String> problems) {
        if (!isPlainName(shard)) {
            problems.add("shard '" + shard + "' is not allowed; allowed: a name in the same folder, *.safetensors");
            return;
        }
        try {
            SafetensorsFile file = SafetensorsFile.open(directory.resolve(shard));
            files.add(file);
            for (String name : names) {
                if (file.names().contains(name)) {
                    byName.put(name, file);
                } else {
                    problems.add("tensor " + name + " is not in " + shard + ", where the index puts it");
                }
            }
            for (String name : file.names()) {
                if (byName.get(name) != file) {
                    problems.add("tensor " + name + " is in " + shard + ", but the index does not put it there");
                }
            }
        } catch (InvalidModelException e) {
            e.problems().forEach(problem -> problems.add("shard " + shard + ": " + problem));
        }
    }

    /** An index may come from anywhere; it must not lead out of the checkpoint's folder. */
    private static boolean isPlainName(String shard) {
        return shard.endsWith(".safetensors")
                && shard.chars().noneMatch(c -> c == '/' || c == '\\' || c == ':' || c < ' ')
                && !shard.startsWith(".");
    }
}
