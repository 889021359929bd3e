#!/usr/bin/env bash
# usage: build_and_run.sh RUNTIME_DIR SOURCE WAY COMPILER [FLAGS...]
# Builds SOURCE for TSan and runs it on our runtime, not under test: it must print "ok".
# WAY linked: compiled with the flag, linked without it against our archive and library.
#     swapped: built for the compiler's own TSan and left alone; our library takes the place of libtsan at load time.
set -euo pipefail
runtime=$1 source=$2 way=$3 compiler=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[[ $source == *.c ]] || set -- -std=c++20 "$@"
[[ $compiler == clang* ]] || set -- -Wno-tsan "$@"
"$compiler" -g -mcx16 -fsanitize=thread "$@" -c "$source" -o "$work/program.o"
cd "$work"
case $way in
  linked)
    "$compiler" program.o -o program "$runtime/libheddle_fast.a" "$runtime/libheddle_rt.so" "-Wl,-rpath,$runtime" -pthread
    output=$(timeout 100 ./program) ;;
  swapped)
    "$compiler" -fsanitize=thread program.o -o program -pthread
    output=$(LD_PRELOAD=$runtime/as-gcc-tsan/libtsan.so.2 timeout 100 ./program) ;;
esac
[[ $output == ok ]]
