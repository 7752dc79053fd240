#!/bin/sh
# Compiles every kernel variant with nvcc for every architecture: check.sh OUT [ARCHITECTURE ...]. What the run-time
# compiler would refuse on a machine with a GPU fails here. Does nothing when the same sources compiled before. The sources
# are one file per architecture, each in a namespace of its own: nvcc reads CUDA's headers once instead of for every source,
# which took longer than the kernels. That a source includes what it needs shows in the emulation, which keeps them apart.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1
shift
nvcc=$(command -v nvcc)
[ "$#" -gt 0 ] || set -- sm_80 sm_90a sm_100 sm_120
mkdir -p "$out"
sum=$( (cat "$here"/*.cu "$here"/*.cuh "$here/variants.txt" "$0"; echo "$@"; "$nvcc" --version) | sha256sum)
if [ "$(cat "$out/compiled" 2>/dev/null)" = "$sum" ]; then exit 0; fi
{
    for header in "$here"/*.cuh; do
        echo "#include \"$(basename "$header")\""
    done
    for source in "$here"/*.cu; do
        name=$(basename "$source" .cu)
        echo "namespace source_$name {"
        echo "#include \"$name.cu\""
        # A used address makes the compiler emit the variant.
        sed -n "s/^$name \(.*\)/\1/p" "$here/variants.txt" |
            awk '{print "const void *plVariant" NR "() { return (const void *)&" $0 "; }"}'
        echo "}"
    done
} >"$out/variants.cu"
# shellcheck disable=SC2016 # the inner shell expands them
printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} sh -c '
    "$1" -std=c++17 --fmad=false -Werror all-warnings -I"$2" -arch={} -fatbin -o "$3/{}.fatbin" "$3/variants.cu" \
        >"$3/{}.log" 2>&1 || { echo "not for {}:"; head -n 20 "$3/{}.log"; exit 1; }' \
    sh "$nvcc" "$here" "$out"
echo "$sum" >"$out/compiled"
