#!/usr/bin/env bash
# usage: check_stubs.sh ARCHIVE   the access stubs are hidden, and need nothing but the two symbols of fast_state.h
set -euo pipefail
archive=$1
visible=$(readelf -sW "$archive" | awk '$4 == "FUNC" && $5 == "GLOBAL" && $6 != "HIDDEN" && $7 != "UND" {print $8}')
if [[ -n $visible ]]; then
  echo "these stubs would be exported by whoever links them:"
  echo "$visible"
  exit 1
fi
[[ $(nm "$archive" | grep -c ' [Tt] __tsan_') -ge 50 ]] || { echo "the stubs are gone"; exit 1; }
foreign=$(nm -u "$archive" | awk 'NF == 2 {print $2}' | sort -u |
  grep -vx -e heddle_fast_state_v6 -e heddle_access_slow_v6 -e _GLOBAL_OFFSET_TABLE_ || true)
if [[ -n $foreign ]]; then
  echo "the stubs need more than they may:"
  echo "$foreign"
  exit 1
fi
