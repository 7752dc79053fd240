#!/bin/sh
# Compiles every kernel variant with nvcc for every architecture: check.sh OUT [ARCHITECTURE ...]. One file a source, so
# that what the run-time compiler would refuse on a machine with a GPU fails here. Prints one line a failure.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1
shift
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ "$#" -gt 0 ] || set -- sm_80 sm_90a sm_100 sm_120
mkdir -p "$out"
targets=""
for architecture in "$@"; do
    targets="$targets -gencode arch=$(echo "$architecture" | sed s/sm_/compute_/),code=$architecture"
done
for source in "$here"/*.cu; do
    name=$(basename "$source" .cu)
    {
        echo "#include \"$name.cu\""
        # A used address makes the compiler emit the variant.
        sed -n "s/^$name \(.*\)/\1/p" "$here/variants.txt" | awk '{print "const void *plVariant" NR "() { return (const void *)&" $0 "; }"}'
    } >"$out/$name.cu"
    echo "$name"
done >"$out/sources"
# shellcheck disable=SC2016 # the inner shell expands them
xargs -P "${JOBS:-1}" -I{} sh -c '
    "$1" -std=c++17 --fmad=false -Werror all-warnings -I"$2" $3 -fatbin -o "$4/{}.fatbin" "$4/{}.cu" >"$4/{}.log" 2>&1 ||
        { echo "{} does not compile:"; cat "$4/{}.log"; exit 1; }' \
    sh "$nvcc" "$here" "$targets" "$out" <"$out/sources"
