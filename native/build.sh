#!/bin/sh
# Builds the native library of the backend 'cpu' into target/classes (called by Maven; also usable by hand).
# A machine without the tools keeps a working build: the backend 'reference' needs no native code.
set -eu
cd "$(dirname "$0")/.."

skip() {
    echo "plumbline: the fast backend 'cpu' is not built ($1); install $2 and build again, or run with 'reference'"
    exit 0
}

[ "$(uname -s)" = Linux ] || skip "this is not Linux" "Linux"
command -v cmake >/dev/null 2>&1 || skip "CMake is missing" "cmake and g++"
command -v "${CXX:-c++}" >/dev/null 2>&1 || skip "a C++ compiler is missing" "g++"
jni=""
for home in "${JAVA_HOME:-}" "${1:-}" "$(dirname "$(dirname "$(readlink -f "$(command -v javac 2>/dev/null || echo /nowhere/bin/javac)")")")"; do
    if [ -n "$home" ] && [ -f "$home/include/jni.h" ]; then
        jni="$home/include"
        break
    fi
done
[ -n "$jni" ] || skip "jni.h of a JDK is missing" "a JDK and set JAVA_HOME"

out="target/classes/native/linux-$(uname -m)"
build=target/native
stamp="$build/sources.sha256"
sum=$( (find native -type f | sort | xargs sha256sum; echo "$jni"; "${CXX:-c++}" --version) | sha256sum)
if [ -f "$out/libplumbline_cpu.so" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$sum" ]; then
    exit 0
fi
mkdir -p "$build" "$out"
# The same sources are compiled once per user, whatever the checkout. What others could write is not loaded.
cache=""
if [ -n "${XDG_CACHE_HOME:-${HOME:-}}" ]; then
    folder="${XDG_CACHE_HOME:-$HOME/.cache}/plumbline/native"
    if (umask 077 && mkdir -p "$folder" && chmod 700 "$folder") 2>/dev/null && [ -O "$folder" ] && [ ! -L "$folder" ]; then
        cache="$folder/$(echo "$sum" | cut -c1-24).so"
    fi
fi
install_library() {
    cp "$1" "$out/libplumbline_cpu.so.partial"
    mv "$out/libplumbline_cpu.so.partial" "$out/libplumbline_cpu.so"
    echo "$sum" >"$stamp"
}
if [ -n "$cache" ] && [ -f "$cache" ]; then
    install_library "$cache"
    exit 0
fi
if ! { cmake -S native -B "$build" -DPLUMBLINE_JNI_INCLUDE="$jni" && cmake --build "$build" -j "$(nproc)" --target plumbline_cpu; } >"$build/build.log" 2>&1; then
    # A library of older sources would be refused or, worse, wrong.
    rm -f "$out/libplumbline_cpu.so"
    if [ "${PLUMBLINE_NATIVE:-}" = optional ]; then
        echo "plumbline: the fast backend 'cpu' did not compile ($build/build.log says why); going on with 'reference'"
        exit 0
    fi
    cat "$build/build.log"
    echo "plumbline: the native library did not compile"
    exit 1
fi
install_library "$build/libplumbline_cpu.so"
if [ -n "$cache" ] && cp "$build/libplumbline_cpu.so" "$cache.$$" 2>/dev/null; then
    mv "$cache.$$" "$cache" || true
    find "$folder" -name '*.so*' -mtime +30 -delete 2>/dev/null || true
fi
