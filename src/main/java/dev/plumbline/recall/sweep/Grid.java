package dev.plumbline.recall.sweep;

import dev.plumbline.recall.Cell;
import dev.plumbline.recall.Depth;
import dev.plumbline.recall.Family;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The cells of a sweep.
 *
 * @param family what is asked
 * @param lengths tokens of the prompts, ascending
 * @param depths where the needle goes
 * @param needles cells per length and depth
 * @param seed first seed; equal grids over equal texts give equal prompts
 */
public record Grid(Family family, List<Integer> lengths, List<Depth> depths, int needles, long seed) {

    /** Sorts the lengths; depths that are one place, such as {@code middle} and {@code 50%}, are asked once. */
    public Grid {
        lengths = lengths.stream().sorted().distinct().toList();
        Map<Double, Depth> places = new LinkedHashMap<>();
        depths.forEach(depth -> places.putIfAbsent(depth.fraction(), depth));
        depths = List.copyOf(places.values());
    }

    /** Every cell, short ones first. */
    public List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        for (int length : lengths) {
            for (Depth depth : depths) {
                for (int needle = 0; needle < needles; needle++) {
                    cells.add(new Cell(family, length, depth, seed + needle));
                }
            }
        }
        return cells;
    }
}
