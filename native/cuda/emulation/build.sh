#!/bin/sh
# Builds the kernels for the emulation: build.sh OUT.so JAVA_HOME. Every source file is a library part of its own, with
# its variants registered by name.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1 jni=$2/include
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-std=c++17 -O2 -g1 -fPIC -fvisibility=hidden -fno-strict-aliasing -ffp-contract=off -mfma -DPL_EMULATION -I$here -I$here/.. -Wall -Wno-unused-function"
for source in "$here"/../*.cu; do
    name=$(basename "$source" .cu)
    {
        echo "#include \"$name.cu\""
        echo 'namespace { struct Register { Register() {'
        sed -n "s/^$name \(.*\)/    emulatedRegister(\"\1\", EmulatedCall<\1>::run);/p" "$here/../variants.txt"
        echo '} } registerAll; }'
    } >"$work/$name.cpp"
    echo "$work/$name.cpp"
done >"$work/list"
echo "$here/emulation.cpp" >>"$work/list"
xargs -P "$(nproc)" -I{} sh -c "${CXX:-c++} $flags -I$jni -I$jni/linux -c {} -o $work/\$(basename {} .cpp).o" <"$work/list"
${CXX:-c++} -shared -o "$out.partial" "$work"/*.o
mv "$out.partial" "$out"
