// Nothing: tree-sitter itself brings the C library that it needs in wasm. Grammars of its version 0.26 look for this file.
