#!/usr/bin/env bash
# usage: build_and_run.sh RUNTIME_DIR SOURCE WAY COMPILER [FLAGS...]
# Builds SOURCE for TSan and runs it on our runtime: it must print "ok".
# WAY linked: compiled with the flag, linked without it against our archive and library; not under test.
#     swapped: built for the compiler's own TSan and left alone; our library takes the place of libtsan at load time.
#     free, controlled: as linked, then under test in that engine with a few seeds, by $UNDER (under.cpp).
set -euo pipefail
runtime=$1 source=$2 way=$3 compiler=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[[ $source == *.c ]] || set -- -std=c++20 "$@"
[[ $compiler == clang* ]] || set -- -Wno-tsan "$@"
"$compiler" -g -mcx16 -fsanitize=thread "$@" -c "$source" -o "$work/program.o"
cd "$work"
if [[ $way == swapped ]]; then
  "$compiler" -fsanitize=thread program.o -o program -pthread
  output=$(LD_PRELOAD=$runtime/as-gcc-tsan/libtsan.so.2 timeout 100 ./program)
  [[ $output == ok ]]
  exit
fi
"$compiler" program.o -o program "$runtime/libheddle_fast.a" "$runtime/libheddle_rt.so" "-Wl,-rpath,$runtime" -pthread
if [[ $way == linked ]]; then
  output=$(timeout 100 ./program)
  [[ $output == ok ]]
  exit
fi
for level in sync atomics memory; do
  for seed in 1 2; do
    output=$(timeout 60 "$UNDER" "$way" $level $seed random ./program) ||
      { echo "seed $seed, level $level: exit status $?"; exit 1; }
    [[ $output == ok ]] || { echo "seed $seed, level $level: $output"; exit 1; }
  done
done
