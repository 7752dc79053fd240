package dev.plumbline.engine;

/** Hands out the numbers 0 … size − 1, each to one holder at a time. */
final class FreeList {
    private final int[] stack;
    private final boolean[] taken;
    private int free;

    FreeList(int size) {
        stack = new int[size];
        taken = new boolean[size];
        for (int i = 0; i < size; i++) {
            stack[i] = size - 1 - i;
        }
        free = size;
    }

    int size() {
        return stack.length;
    }

    int free() {
        return free;
    }

    int[] take(int count) {
        if (count > free) {
            throw new IllegalStateException(count + " wanted, " + free + " free");
        }
        int[] ids = new int[count];
        for (int i = 0; i < count; i++) {
            ids[i] = stack[--free];
            taken[ids[i]] = true;
        }
        return ids;
    }

    void give(int... ids) {
        for (int id : ids) {
            if (!taken[id]) {
                throw new IllegalStateException(id + " was given back twice");
            }
            taken[id] = false;
            stack[free++] = id;
        }
    }
}
