package dev.plumbline.engine;

/**
 * Hands out the numbers 0 … size − 1. A number may have several holders, and be kept besides for whoever may want to hold
 * it again; it is free once it has neither.
 */
final class FreeList {
    private final int[] stack;
    private final int[] holders;
    private final int[] keepers;
    private int free;
    private int held;

    FreeList(int size) {
        stack = new int[size];
        holders = new int[size];
        keepers = new int[size];
        for (int i = 0; i < size; i++) {
            stack[i] = size - 1 - i;
        }
        free = size;
    }

    int size() {
        return stack.length;
    }

    /** Numbers that can be taken. */
    int free() {
        return free;
    }

    /** Numbers that somebody holds; the others are free, or would be without those that keep them. */
    int held() {
        return held;
    }

    int[] take(int count) {
        if (count > free) {
            throw new IllegalStateException(count + " wanted, " + free + " free");
        }
        int[] ids = new int[count];
        for (int i = 0; i < count; i++) {
            ids[i] = stack[--free];
            holders[ids[i]] = 1;
        }
        held += count;
        return ids;
    }

    /** One more holder of numbers that are held or kept. */
    void hold(int... ids) {
        for (int id : ids) {
            if (holders[id] == 0 && keepers[id] == 0) {
                throw new IllegalStateException(id + " is free");
            }
            held += holders[id]++ == 0 ? 1 : 0;
        }
    }

    void give(int... ids) {
        for (int id : ids) {
            if (holders[id] == 0) {
                throw new IllegalStateException(id + " was given back twice");
            }
            if (--holders[id] == 0) {
                held--;
                freeIfUnused(id);
            }
        }
    }

    /** One more keeper of numbers that are held or kept. */
    void keep(int... ids) {
        for (int id : ids) {
            if (holders[id] == 0 && keepers[id] == 0) {
                throw new IllegalStateException(id + " is free");
            }
            keepers[id]++;
        }
    }

    void letGo(int... ids) {
        for (int id : ids) {
            if (keepers[id] == 0) {
                throw new IllegalStateException(id + " is kept by nobody");
            }
            keepers[id]--;
            freeIfUnused(id);
        }
    }

    private void freeIfUnused(int id) {
        if (holders[id] == 0 && keepers[id] == 0) {
            stack[free++] = id;
        }
    }
}
