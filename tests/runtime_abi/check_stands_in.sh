#!/usr/bin/env bash
# usage: check_stands_in.sh OURS THEIRS   what programs have from the runtime THEIRS and from no other library, OURS has too
set -euo pipefail
exported() { nm -D --defined-only "$1" | awk '{sub(/@.*/, "", $3); print $3}'; }
library() { g++ -print-file-name="$1"; }
if [[ ! -e $2 ]]; then
  echo "there is no $2 here"
  exit 77
fi
# Names for the sanitizer itself, of libraries that a program names when it wants them, and that no header leads to.
private='^(__interceptor_|__sancov_|__isoc99_v?(f|s|sn)?printf$|__asan_|__sanitizer_|___interceptor_|_ZN6__tsan|_ZN11__sanitizer|xdr_|(crypt|crypt_r|sigsetjmp)$)'
missing=$(comm -23 <(exported "$2" | grep -Ev "$private" | sort -u) \
  <(for other in "$1" "$(library libc.so.6)" "$(library libm.so.6)" "$(library libstdc++.so.6)" "$(library libgcc_s.so.1)" \
        "$(library ld-linux-x86-64.so.2)"; do exported "$other"; done | sort -u))
if [[ -n $missing ]]; then
  echo "$1 does not have from $2:"
  echo "$missing"
  exit 1
fi
