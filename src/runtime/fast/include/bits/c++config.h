// Found before libstdc++'s own header of this name, by programs that are compiled with instrumentation. libstdc++ keeps
// the code of std::string in the library for C++17 and older, where no callback tells of its accesses; with -1, its own
// value for the purpose, that code is compiled into the program as it is for C++20. Streams stay in the library.
#pragma GCC system_header
#include_next <bits/c++config.h>
#if defined(_GLIBCXX_EXTERN_TEMPLATE) && _GLIBCXX_EXTERN_TEMPLATE == 1
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#endif
