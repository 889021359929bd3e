// Forced into every in-process source (src/CMakeLists.txt). The compiler may call memcpy and its like for a plain
// assignment; in our own code that must never reach an interposed one, ours least of all: it would report our own work as
// the program's, without end.
#pragma once

#ifndef HEDDLE_DEFINES_BUILTINS
asm(R"(
  .hidden heddle_raw_memcpy
  .hidden heddle_raw_memmove
  .hidden heddle_raw_memset
  .hidden heddle_raw_memcmp
  .set memcpy, heddle_raw_memcpy
  .set memmove, heddle_raw_memmove
  .set memset, heddle_raw_memset
  .set memcmp, heddle_raw_memcmp
)");
#endif
