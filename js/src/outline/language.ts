import { check, checkText } from '../base/check.js'
import { BYTES, textOf } from '../base/content.js'

/** File extensions, and whole names of files without a telling extension. */
const NAMES = {
  bash: '.sh .bash .zsh .ksh .bats .ebuild .bashrc .bash_profile .profile .zshrc PKGBUILD',
  c: '.c .h',
  cpp: '.cc .cpp .cxx .c++ .hh .hpp .hxx .h++ .ipp .inl .tpp .ino .cu .cuh',
  csharp: '.cs .csx',
  css: '.css',
  go: '.go',
  html: '.html .htm .xhtml',
  java: '.java',
  javascript: '.js .mjs .cjs .jsx',
  json: '.json .jsonc .geojson .webmanifest .ipynb .babelrc .eslintrc',
  markdown: '.md .markdown .mdx .mdown .mkd',
  python: '.py .pyi .pyw .bzl SConstruct BUILD BUILD.bazel WORKSPACE',
  ruby: '.rb .rake .gemspec .ru .podspec Gemfile Rakefile Podfile Vagrantfile',
  rust: '.rs',
  text: '.txt .log',
  toml: '.toml Cargo.lock poetry.lock uv.lock Pipfile',
  tsx: '.tsx',
  typescript: '.ts .mts .cts',
  yaml: '.yaml .yml .clang-format .clang-tidy',
  zig: '.zig .zon',
}

/** A language that can be outlined. */
export type OutlineLanguage = keyof typeof NAMES

/** Languages that have an outline; `text` is any other. */
export const outlineLanguages: readonly OutlineLanguage[] = Object.freeze(
  Object.keys(NAMES) as OutlineLanguage[],
)

const byName = new Map(
  Object.entries(NAMES).flatMap(([language, names]) =>
    names.split(' ').map((name) => [name.toLowerCase(), language as OutlineLanguage] as const),
  ),
)

/** Interpreters named in the first line of a script. */
const byProgram: readonly (readonly [RegExp, OutlineLanguage])[] = [
  [/^(ba|z|k|da|a)?sh$/, 'bash'],
  [/^(python|pypy)[\d.]*$/, 'python'],
  [/^(node|nodejs|bun)$/, 'javascript'],
  [/^(deno|tsx|ts-node)$/, 'typescript'],
  [/^ruby[\d.]*$/, 'ruby'],
  [/^rust-script$/, 'rust'],
]

/**
 * Detects the language of a file: by its name (a `.h` header also by its content: C or C++), else by the interpreter in
 * its first line (`#!/usr/bin/env python3`), else `text`.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function detectLanguage(path: string, content: string | Uint8Array = ''): OutlineLanguage {
  checkText('path', path)
  const name = (path.split(/[\\/]/).at(-1) ?? '').toLowerCase()
  const end = name.slice(name.lastIndexOf('.'))
  if (end === '.h' && isOfCpp(content)) return 'cpp'
  return (
    byName.get(name) ?? (end.startsWith('.') ? byName.get(end) : undefined) ?? ofScript(content) ?? 'text'
  )
}

/** C++ headers mostly end in `.h` too. Most have a construct that only C++ has at the start of a line. */
const OF_CPP =
  /^[ \t]*(?:class \w+[^;]*$|(?:inline\s+)?namespace\b|template\s*<|using (?:namespace\b|\w+ =)|public:|private:|protected:|#include <\w+>|struct\s+\w+\s*:|enum class\b|virtual\s|~\w+\(\)|#ifdef __cplusplus\s+\w+\()|\bstd::/m
const HEADER = 100_000

function isOfCpp(content: string | Uint8Array): boolean {
  return OF_CPP.test(begin(content, HEADER))
}

function ofScript(content: string | Uint8Array): OutlineLanguage | undefined {
  const line = /^\ufeff?#!\s*(\S+)(.*)/.exec(begin(content, 200))
  if (line === null) return undefined
  const [, program = '', rest = ''] = line
  const words = [program.split('/').at(-1) ?? '', ...rest.trim().split(/\s+/)]
  // `env` and its options come before the interpreter.
  const named = words[0] === 'env' ? words.slice(1).find((word) => !/^-|=/.test(word)) : words[0]
  const base = (named ?? '').split('/').at(-1) ?? ''
  return byProgram.find(([pattern]) => pattern.test(base))?.[1]
}

/** Returns the first `length` UTF-16 units of a content. */
function begin(content: unknown, length: number): string {
  if (typeof content === 'string') return content.slice(0, length)
  // A UTF-16 unit takes at least two bytes in UTF-16.
  return textOf(check('content', content, BYTES).subarray(0, 2 * length)).slice(0, length)
}
