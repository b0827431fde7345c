import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import lua from 'highlight.js/lib/languages/lua'
import makefile from 'highlight.js/lib/languages/makefile'
import markdown from 'highlight.js/lib/languages/markdown'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import scss from 'highlight.js/lib/languages/scss'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import type { Token, TokenKind } from './tokens.js'

const LANGUAGES = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  makefile,
  markdown,
  php,
  python,
  ruby,
  rust,
  scss,
  sql,
  swift,
  typescript,
  xml,
  yaml,
}

/** Kinds of the library's scopes, by the scope's name up to the first dot. */
const KINDS: Readonly<Record<string, TokenKind>> = {
  comment: 'comment',
  quote: 'comment',
  doctag: 'comment',
  string: 'string',
  regexp: 'string',
  char: 'string',
  code: 'string',
  link: 'string',
  number: 'number',
  literal: 'number',
  symbol: 'number',
  keyword: 'keyword',
  meta: 'keyword',
  'selector-tag': 'keyword',
  section: 'name',
  title: 'name',
  name: 'name',
  attr: 'name',
  attribute: 'name',
  property: 'name',
  'selector-class': 'type',
  'selector-id': 'type',
  type: 'type',
  built_in: 'type',
  addition: 'added',
  deletion: 'removed',
}

/** An emitter of the library that collects tokens instead of HTML. */
class Tokens {
  #tokens: Token[] = []
  readonly #scopes: string[] = []

  startScope(name: string): void {
    this.#scopes.push(name)
  }

  endScope(): void {
    this.#scopes.pop()
  }

  openNode(name: string): void {
    this.startScope(name)
  }

  closeNode(): void {
    this.endScope()
  }

  addText(text: string): void {
    if (text !== '') this.#add({ length: text.length, kind: this.#kind() })
  }

  /** Adds text in another language, such as a script in HTML. */
  __addSublanguage(other: Tokens): void {
    for (const token of other.tokens) this.#add(token)
  }

  finalize(): void {}

  toHTML(): string {
    return ''
  }

  get tokens(): readonly Token[] {
    return this.#tokens
  }

  #add(token: Token): void {
    const last = this.#tokens.at(-1)
    if (last?.kind === token.kind)
      this.#tokens[this.#tokens.length - 1] = { ...last, length: last.length + token.length }
    else this.#tokens.push(token)
  }

  /** The innermost scope with a colour. A substitution in a string is code again. */
  #kind(): TokenKind | null {
    for (const scope of this.#scopes.toReversed()) {
      const [name = ''] = scope.split('.')
      if (name === 'subst') return null
      const kind = KINDS[name]
      if (kind !== undefined) return kind
    }
    return null
  }
}

hljs.configure({ __emitter: Tokens })
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

/** Returns the tokens of a text; none if the language is unknown. The time is unbounded: call it in a worker. */
export function readCode(text: string, language: string): readonly Token[] {
  if (hljs.getLanguage(language) === undefined) return []
  const { _emitter: emitter } = hljs.highlight(text, { language, ignoreIllegals: true })
  return emitter instanceof Tokens ? emitter.tokens : []
}
