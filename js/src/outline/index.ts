import { checkOptions, refuseWith, shown } from '../base/check.js'
import type { GrammarModule } from './grammar.js'
import { detectLanguage, type OutlineLanguage } from './language.js'
import { LOADERS } from './loaders.js'
import type { Grammar, LoadGrammarOptions, Outline, OutlineOptions } from './types.js'

export type { WasmSource } from '../engine/source.js'
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
} from './types.js'

/** Markdown is read without a grammar, by the module of plain text. */
const MODULES: Record<OutlineLanguage, () => Promise<GrammarModule>> = { ...LOADERS, markdown: LOADERS.text }

/** Whose content it is, and how it is read. */
export interface OutlineFileOptions extends OutlineOptions {
  /** Its language. Default: by the path, or the first line (`#!`). */
  language?: OutlineLanguage
}

/**
 * Outlines a file: what it imports, its types, its signatures and the first lines of its comments, with their numbers;
 * bodies are folded. The grammar of its language is loaded at the first call. A file of no known language is outlined by
 * its indentation. Nothing is opened: the path says the language.
 *
 * @throws {TrimtabError} `invalid_option`, `unknown_language`, `initialisation_failed`.
 */
export async function outline(
  path: string,
  content: string | Uint8Array,
  options: OutlineFileOptions = {},
): Promise<Outline> {
  options = checkOptions(options, { language: null, budget: null }, 'outline')
  const { language = detectLanguage(path, content), ...rest } = options
  const grammar = await loadGrammar(language)
  return grammar.outline(content, rest, language === 'markdown' ? 'markdown' : undefined)
}

/**
 * Loads the grammar of a language, to outline without waiting. With a bundler, `trimtab/outline/LANGUAGE` brings along
 * that one grammar only.
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
