#!/bin/sh
# Notes what the program is built from in target/classes/build-info.txt (called by Maven): the commit, and every source
# file that differs from it with the SHA-256 of its bytes. Outside a repository of its own it says that it does not know.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p target/classes
out=target/classes/build-info.txt
inputs="pom.xml plumbline src/main src/build native db ui"

unknown() {
    printf 'commit unknown\nmodified unknown\n' >"$out"
    exit 0
}

command -v git >/dev/null 2>&1 || unknown
[ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ] || unknown
commit=$(git rev-parse HEAD 2>/dev/null) || unknown

hash_of() {
    if [ ! -e "$1" ]; then echo deleted; else sha256sum <"$1" | cut -d' ' -f1; fi
}

{
    echo "commit $commit"
    echo "modified known"
    # shellcheck disable=SC2086 # inputs are separated by blanks on purpose
    {
        git -c core.quotePath=false diff --name-only HEAD -- $inputs
        git -c core.quotePath=false ls-files --others --exclude-standard -- $inputs
    } | LC_ALL=C sort -u | while IFS= read -r path; do
        echo "file $(hash_of "$path") $path"
    done
} >"$out"
