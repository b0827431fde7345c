import { checkOptions, DATA, isWhole, refuse } from '../base/check.js'
import { ENCODING, textOf } from '../base/content.js'
import { LazyModule } from '../engine/lazy-module.js'
import type { Glue } from '../engine/module.js'
import type { Outline } from '../generated/outline.js'
import type { Grammar, LoadGrammarOptions, OutlineOptions } from './types.js'

/** Exports of every grammar's wasm glue (`outline/src/wasm.rs`). */
interface GrammarGlue extends Glue {
  outline(language: string, content: string, lines?: number | null, tokens?: number | null): string
}

/** Entry point of a grammar. */
export interface GrammarModule {
  /** Loads the grammar once; always returns the same object. */
  loadGrammar(options?: LoadGrammarOptions): Promise<Grammar>
}

export function outlinesOf(
  language: string,
  glue: GrammarGlue,
  file: () => URL,
): GrammarModule['loadGrammar'] {
  const module = new LazyModule(glue, 'loadGrammar', `outline/${language}.wasm`, file)
  const grammar: Grammar = {
    language,
    outline(content, options = {}, as = language) {
      options = checkOptions(options, { budget: DATA, encoding: ENCODING }, 'outline')
      const text = textOf(content, options.encoding)
      const [lines, tokens] = budgetOf(options)
      return JSON.parse(module.enter(() => glue.outline(as, text, lines, tokens))) as Outline
    },
  }
  return async (options = {}) => {
    options = checkOptions(options, { source: null }, 'loadGrammar')
    await module.load(options)
    return grammar
  }
}

function budgetOf({ budget }: OutlineOptions): [lines?: number | undefined, tokens?: number | undefined] {
  if (budget === undefined) return []
  const { lines, tokens } = (budget ?? {}) as { lines?: number; tokens?: number }
  if (isWhole(lines) && tokens === undefined) return [lines]
  if (isWhole(tokens) && lines === undefined) return [undefined, tokens]
  return refuse('budget', '{lines} or {tokens}, a whole number from 0 on', budget)
}
