import { checkText } from '../base/check.js'
import { textOf } from '../base/content.js'

/** File names' ends, and whole names where no end says it. */
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

/** The languages that are outlined by what they mean; `text` is any other. */
export const outlineLanguages: readonly OutlineLanguage[] = Object.freeze(
  Object.keys(NAMES) as OutlineLanguage[],
)

const byName = new Map(
  Object.entries(NAMES).flatMap(([language, names]) =>
    names.split(' ').map((name) => [name.toLowerCase(), language as OutlineLanguage] as const),
  ),
)

/** Programs that a script's first line names. */
const byProgram: readonly (readonly [RegExp, OutlineLanguage])[] = [
  [/^(ba|z|k|da|a)?sh$/, 'bash'],
  [/^(python|pypy)[\d.]*$/, 'python'],
  [/^(node|nodejs|bun)$/, 'javascript'],
  [/^(deno|tsx|ts-node)$/, 'typescript'],
  [/^ruby[\d.]*$/, 'ruby'],
  [/^rust-script$/, 'rust'],
]

/**
 * The language of a file by its name (of a header `.h` by its content, too: C or C++), else by the program that its first
 * line names (`#!/usr/bin/env python3`), else `text`.
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

/** Headers of C++ are mostly called `.h` as well: what only C++ has stands at the beginning of a line in most of them. */
const OF_CPP =
  /^\s*(?:class \w+[^;]*$|namespace\b|template\s*<|using (?:namespace\b|\w+ =)|public:|private:|protected:|#include <\w+>)|\bstd::/m
const HEADER = 100_000

function isOfCpp(content: string | Uint8Array): boolean {
  return OF_CPP.test(begin(content, HEADER))
}

function ofScript(content: string | Uint8Array): OutlineLanguage | undefined {
  const line = /^\ufeff?#!\s*(\S+)(.*)/.exec(begin(content, 200))
  if (line === null) return undefined
  const [, program = '', rest = ''] = line
  const words = [program.split('/').at(-1) ?? '', ...rest.trim().split(/\s+/)]
  // `env` and its options stand before the program.
  const named = words[0] === 'env' ? words.slice(1).find((word) => !/^-|=/.test(word)) : words[0]
  const base = (named ?? '').split('/').at(-1) ?? ''
  return byProgram.find(([pattern]) => pattern.test(base))?.[1]
}

/** The first characters of a content. */
function begin(content: unknown, length: number): string {
  if (typeof content === 'string') return content.slice(0, length)
  // In UTF-16 each takes two bytes at least.
  return content instanceof Uint8Array ? textOf(content.subarray(0, 2 * length)).slice(0, length) : ''
}
