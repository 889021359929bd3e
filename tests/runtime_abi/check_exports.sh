#!/usr/bin/env bash
# usage: check_exports.sh LIBRARY LIST...   every name in the lists is exported by the library
set -euo pipefail
library=$1
shift
missing=$(comm -23 <(cat "$@" | sort -u) <(nm -D --defined-only "$library" | awk '{print $3}' | sort -u))
if [[ -n $missing ]]; then
  echo "not exported by $library:"
  echo "$missing"
  exit 1
fi
