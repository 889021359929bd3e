// Everything in the runtime is hidden except what carries this mark: the symbols we define in the program's stead.
#pragma once

#define HEDDLE_EXPORT extern "C" __attribute__((visibility("default")))

// The return address in the program: the site of a call. Only directly inside an exported function.
#define HEDDLE_CALLER __builtin_return_address(0)
