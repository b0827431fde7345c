import { isAmount } from '../base/check.js'
import { given } from '../base/json.js'
import { nearest } from '../base/nearest.js'
import { type DatedPrices, PRICES, pricedModels, pricesOf, priceWarning } from '../money/index.js'
import type { Transcript } from '../transcripts/index.js'
import { numberOf, type Output, ofSessions } from './arguments.js'
import { Failure } from './failure.js'
import { nameOf } from './input.js'
import { type Progress, withProgress } from './progress.js'
import { printed, type Screen } from './render.js'
import { openSession } from './session.js'
import { writeWhole } from './write-whole.js'

/** Options of commands that replay sessions. */
export const ofReplays = {
  ...ofSessions,
  json: { type: 'boolean' },
  prices: { type: 'string' },
  window: { type: 'string' },
  ttl: { type: 'string' },
  svg: { type: 'string' },
} as const

/** Their values; `svg` is the file that the chart is written to. */
interface ReplayValues extends Partial<Record<'prices' | 'window' | 'ttl' | 'svg', string>> {
  json?: boolean
  'full-history'?: boolean
}

/** A command that replays sessions. */
interface Replay<T> {
  run(progress: Progress): Promise<T>
  picture(result: T): string
  text(files: readonly string[], result: T, screen: Screen): string
}

/** Runs a command, writes its chart if there is to be one, and returns its result as text or as JSON. */
export function replay<T extends object>(
  paths: readonly string[],
  { json = false, svg }: ReplayValues,
  { run, picture, text }: Replay<T>,
): Promise<Output> {
  return withProgress(async (progress) => {
    const result = await run(progress)
    if (svg !== undefined) writeWhole('svg', svg, picture(result))
    const files = paths.map(nameOf)
    return printed(json, { files, ...result }, (_, screen) => text(files, result, screen))
  })
}

/** Reads a session in the form in which `trimtab/money` takes it. */
export async function sessionToReplay(
  path: string,
  { 'full-history': fullHistory = false }: ReplayValues,
  progress: Progress,
): Promise<Pick<Transcript, 'messages' | 'format' | 'system' | 'times'>> {
  const { messages, format, system, times } = await openSession(path, { fullHistory }, progress)
  return given({ messages, format, system, times })
}

/** The settings of all sessions: prices, the size of the window, the life of a prompt cache. */
export function replaySettings({ prices = 'anthropic', window, ttl }: ReplayValues) {
  const size = numberOf('--window', window, 'a number of tokens over 0', (n) => isAmount(n) && n > 0)
  return given({ prices: pricesNamed(prices), window: size, ttl: secondsOf(ttl) })
}

/** Returns a row of `PRICES` by name, or the prices of a model. Warns on stderr if they are out of date. */
export function pricesNamed(name: string): DatedPrices {
  const prices = rowNamed(name)
  const warning = priceWarning(prices, Date.now())
  if (warning !== undefined) process.stderr.write(`trimtab: ${warning}\n`)
  return prices
}

function rowNamed(name: string): DatedPrices {
  if (Object.hasOwn(PRICES, name)) return PRICES[name as keyof typeof PRICES]
  try {
    return pricesOf(name)
  } catch {
    const near = nearest(name, [...Object.keys(PRICES), ...pricedModels])
    const advice = near === undefined ? '' : `; the nearest is ${near.replace(/\*$/, '')}`
    throw new Failure(
      `--prices ${name}: no such prices; there are ${Object.keys(PRICES).join(', ')}, and those of models by their ids${advice}`,
    )
  }
}

/** The life of a prompt cache, as an option. */
export function secondsOf(ttl: string | undefined): number | undefined {
  return numberOf('--ttl', ttl, 'a number of seconds from 0 on', isAmount)
}
