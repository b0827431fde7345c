// What scanners of some grammars take from the C library beside what tree-sitter's own headers for wasm declare.
#include <wchar.h>

#ifndef static_assert
#define static_assert _Static_assert
#endif

static inline int isdigit(int c) { return c >= '0' && c <= '9'; }
