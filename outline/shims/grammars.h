// What scanners of some grammars take from the C library beside what tree-sitter's own headers for wasm declare.
#include <wchar.h>

#ifndef static_assert
#define static_assert _Static_assert
#endif

static inline int isdigit(int c) { return c >= '0' && c <= '9'; }

// The parser's loop runs once for each file, so that an engine which compiles again what runs often has no use for a
// faster loop: it had better be small, and call what runs once for each token.
struct TSParser;
static _Bool ts_parser__advance(struct TSParser *, unsigned, _Bool) __attribute__((noinline, unused));
