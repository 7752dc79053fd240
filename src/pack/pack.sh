#!/usr/bin/env bash
# Puts the pack for a GPU machine together: pack.sh BUILD OUT COMMIT CLASSPATH. BUILD is an unpacked build of the
# launcher, CLASSPATH a file with the class path of the tests, which are compiled.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1 out=$2 commit=$3 classpath=$4
most_bytes=$((24 * 1024 * 1024))

# What the rooms below the command line need, by the first part of the jar's name.
libraries='picocli progressbar jline-terminal jline-native reactor-core reactive-streams jackson-core-3 jackson-databind-3
    jackson-annotations api tokenizers slf4j-api gson snakeyaml commons-statistics-interval commons-statistics-distribution
    commons-statistics-inference
    commons-numbers-core commons-numbers-gamma commons-numbers-rootfinder commons-numbers-combinatorics
    commons-numbers-fraction commons-rng-client-api commons-rng-sampling commons-compress jna javacpp cuda'
# What the conformance kit needs.
test_libraries='junit-jupiter-api junit-jupiter-engine junit-jupiter-params junit-platform-commons junit-platform-engine
    junit-platform-launcher opentest4j assertj-core'
# java.net.http and jdk.unsupported: classes of the command line and Reactor name them. jdk.management tells the machine's
# memory, which bounds the lanes. The rest is DJL's and Jackson's.
modules=java.base,java.logging,java.management,java.net.http,java.xml,jdk.management,jdk.unsupported

die() {
    echo "plumbline: $1" >&2
    exit 1
}
tool() {
    if [[ -n ${JAVA_HOME:-} ]]; then echo "$JAVA_HOME/bin/$1"; else echo "$1"; fi
}
for needed in "$(tool jlink)" "$(tool jar)" xz tar cmake "${CXX:-c++}"; do
    command -v "$needed" >/dev/null || die "pack-gpu needs $needed"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pack=$work/plumbline-pack
mkdir -p "$pack/lib" "$pack/bin"

# Compressing twice makes the pack larger: everything inside is stored, xz does the rest.
repack() {
    local jar=$1 into=$2
    shift 2
    rm -rf "$work/jar" && mkdir "$work/jar"
    (cd "$work/jar" && "$(tool jar)" xf "$jar")
    for unwanted in "$@"; do (cd "$work/jar" && rm -rf $unwanted); done
    # Of CUDA's presets only the driver API and the run-time compiler, and the product that the check compares with.
    if [[ -d $work/jar/org/bytedeco/cuda ]]; then
        find "$work/jar/org/bytedeco/cuda" -type f ! -path '*cudart*' ! -path '*nvrtc*' \
            ! -path '*cublas*' -delete
    fi
    "$(tool jar)" --create --no-compress --no-manifest --file "$into" -C "$work/jar" .
}

echo "Java runtime ..." >&2
"$(tool jlink)" --add-modules "$modules" --strip-debug --no-header-files --no-man-pages --compress=0 --output "$pack/jre"
rm -rf "$pack/jre/legal"
# jlink keeps the symbols of the virtual machine itself.
if command -v strip >/dev/null; then find "$pack/jre" -name '*.so' -exec strip --strip-unneeded {} +; fi

echo "Classes and libraries ..." >&2
repack "$build/plumbline.jar" "$pack/lib/plumbline.jar" models recall runconfigs db static templates META-INF
[[ -f $work/jar/native/linux-$(uname -m)/libplumbline_cpu.so ]] || die "the backend 'cpu' is not in this build"
for library in $libraries; do
    found=("$build/lib/$library"-[0-9]*.jar "$build/lib/$library".*.jar)
    for jar in "${found[@]}"; do
        [[ -f $jar ]] || continue
        repack "$jar" "$pack/lib/$(basename "$jar")" 'native/lib/win*' 'native/lib/osx*' 'native/lib/linux-aarch64' nlp \
            'com/sun/jna/[a-z]*-*' 'org/jline/nativ/[A-Z]*' META-INF/native-image
    done
    compgen -G "$pack/lib/$library[-.]*" >/dev/null || die "the build has no library $library"
done

echo "Conformance kit ..." >&2
mkdir -p "$pack/test"
for library in $test_libraries; do
    jar=$(tr ':' '\n' <"$classpath" | grep "/$library-[0-9][^/]*\.jar$" | head -n 1)
    [[ -f $jar ]] || die "the tests' class path has no $library"
    repack "$jar" "$pack/test/$(basename "$jar")"
done
[[ -d $root/target/test-classes/dev/plumbline/gpucheck ]] || die "the tests are not compiled"
"$(tool jar)" --create --no-compress --no-manifest --file "$pack/test/plumbline-tests.jar" \
    -C "$root/target/test-classes" dev/plumbline

echo "Standalone check ..." >&2
cmake -S "$root/native" -B "$root/target/native-check" -DPLUMBLINE_CHECK=ON >"$work/cmake.log" 2>&1 &&
    cmake --build "$root/target/native-check" -j "$(nproc)" --target plumbline_check >>"$work/cmake.log" 2>&1 || {
    cat "$work/cmake.log" >&2
    die "plumbline_check did not compile"
}
cp "$root/target/native-check/plumbline_check" "$pack/bin/"
strip --strip-unneeded "$pack/bin/plumbline_check" 2>/dev/null || true

cp "$root/src/pack/plumbline" "$pack/plumbline"
chmod 755 "$pack/plumbline"
echo "$commit" >"$pack/commit"

echo "Compressing ..." >&2
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cf - plumbline-pack | xz -9e -T1 >"$out.partial"
size=$(stat -c %s "$out.partial")
if [[ $size -gt $most_bytes ]]; then
    rm -f "$out.partial"
    die "the pack has $size bytes, allowed: $most_bytes"
fi
mv "$out.partial" "$out"
echo "$out: $size bytes"
