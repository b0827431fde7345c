import { checkOptions, refuseWith, shown } from '../base/check.js'
import { decoded, ENCODING } from '../base/content.js'
import { wellFormed } from '../base/text.js'
import { binaryKindOf } from '../files/binary-kind.js'
import type { GrammarModule } from './grammar.js'
import { detectLanguage, type OutlineLanguage } from './language.js'
import { LOADERS } from './loaders.js'
import type { Grammar, LoadGrammarOptions, Outline, OutlineOptions } from './types.js'

export type { WasmSource } from '../engine/source.js'
export type { CompiledModule } from '../engine/wasm-types.js'
export { detectLanguage, type OutlineLanguage, outlineLanguages } from './language.js'
export type {
  Grammar,
  LineRange,
  LoadGrammarOptions,
  Outline,
  OutlineBudget,
  OutlineOptions,
  OutlineSection,
  SectionKind,
  TextEncoding,
} from './types.js'

/** Markdown has no grammar of its own: the module for plain text reads it. */
const MODULES: Record<OutlineLanguage, () => Promise<GrammarModule>> = { ...LOADERS, markdown: LOADERS.text }

/** Options of {@link outline}. */
export interface OutlineFileOptions extends OutlineOptions {
  /** Language of the file. Default: detected from the path or the first line (`#!`). */
  language?: OutlineLanguage | undefined
}

/**
 * Outlines a file: its imports, types, signatures and the first lines of its comments, with line numbers; bodies are
 * folded. The language's grammar is loaded at the first call. A file in an unknown language is outlined by its
 * indentation. Opens no file: the path is used to detect the language. Binary files are refused.
 *
 * @throws {TrimtabError} `invalid_option`, `unknown_language`, `initialisation_failed`.
 */
export async function outline(
  path: string,
  content: string | Uint8Array,
  options: OutlineFileOptions = {},
): Promise<Outline> {
  options = checkOptions(options, { language: null, budget: null, encoding: ENCODING }, 'outline')
  const kind = await binaryKindOf(content, options.encoding)
  if (kind !== undefined) refuseWith('content', wellFormed(`${path} is binary (${kind}) and has no outline`))
  const { text, malformed } = decoded(content, options.encoding)
  const { language = detectLanguage(path, text), budget } = options
  const grammar = await loadGrammar(language)
  const outlined = grammar.outline(
    text,
    budget === undefined ? {} : { budget },
    language === 'markdown' ? 'markdown' : undefined,
  )
  return malformed === undefined ? outlined : { ...outlined, malformed: true }
}

/**
 * Loads a language's grammar ahead of its first use. With a bundler, `trimtab/outline/LANGUAGE` includes that one
 * grammar only.
 *
 * @throws {TrimtabError} `unknown_language`, `initialisation_failed`.
 */
export async function loadGrammar(language: OutlineLanguage, options?: LoadGrammarOptions): Promise<Grammar> {
  if (typeof language !== 'string' || !Object.hasOwn(MODULES, language)) {
    const known = Object.keys(MODULES).join(', ')
    const message = `there is no outline for ${shown(language)}: there are ${known}; text takes any file`
    return refuseWith('language', message, 'unknown_language')
  }
  const module = await MODULES[language]()
  return module.loadGrammar(options)
}
