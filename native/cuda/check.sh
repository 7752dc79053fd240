#!/bin/sh
# Compiles every kernel variant with nvcc for every architecture: check.sh OUT [ARCHITECTURE ...]. What the run-time
# compiler would refuse on a machine with a GPU fails here. Does nothing when the same sources compiled before.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1
shift
nvcc=$(command -v nvcc)
[ "$#" -gt 0 ] || set -- sm_80 sm_90a sm_100 sm_120
mkdir -p "$out"
sum=$( (cat "$here"/*.cu "$here"/*.cuh "$here/variants.txt" "$0"; echo "$@"; "$nvcc" --version) | sha256sum)
if [ "$(cat "$out/compiled" 2>/dev/null)" = "$sum" ]; then exit 0; fi
targets=""
for architecture in "$@"; do
    targets="$targets -gencode arch=$(echo "$architecture" | sed s/sm_/compute_/),code=$architecture"
done
for source in "$here"/*.cu; do
    name=$(basename "$source" .cu)
    {
        echo "#include \"$name.cu\""
        # A used address makes the compiler emit the variant.
        sed -n "s/^$name \(.*\)/\1/p" "$here/variants.txt" |
            awk '{print "const void *plVariant" NR "() { return (const void *)&" $0 "; }"}'
    } >"$out/variants_of_$name.cu"
    echo "$name"
done >"$out/sources"
# shellcheck disable=SC2016 # the inner shell expands them
xargs -P "$(nproc)" -I{} sh -c '
    "$1" -std=c++17 --fmad=false -Werror all-warnings -I"$2" $3 -fatbin -o "$4/{}.fatbin" "$4/variants_of_{}.cu" \
        >"$4/{}.log" 2>&1 || { echo "{} does not compile:"; head -n 20 "$4/{}.log"; exit 1; }' \
    sh "$nvcc" "$here" "$targets" "$out" <"$out/sources"
echo "$sum" >"$out/compiled"
