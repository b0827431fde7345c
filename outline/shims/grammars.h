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

// The scanners of Python, Ruby and YAML (tree-sitter-python 0.25.0, tree-sitter-ruby 0.23.1, tree-sitter-yaml 0.7.2)
// write up to 4 bytes past the end of the parser's buffer, if hundreds of levels or long heredocs are open. Only the
// parser itself is compiled with this macro: its buffer gets room for them.
#ifdef TREE_SITTER_WASM_STDLIB
#include "tree_sitter/api.h"
#include "parser.h"
#undef TREE_SITTER_SERIALIZATION_BUFFER_SIZE
#define TREE_SITTER_SERIALIZATION_BUFFER_SIZE (1024 + 8)
#endif
