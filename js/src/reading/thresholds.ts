import { COUNT, checkOptions, isWhole, refuse } from '../base/check.js'
import { files } from '../engine/files.js'
import { globMatcher } from '../files/glob.js'

/** How a file is shown. `auto` decides by its size. */
export type ReadMode = 'auto' | 'full' | 'curated' | 'structure'

/** The modes, for a tool's schema. */
export const READ_MODES: readonly ReadMode[] = ['auto', 'full', 'curated', 'structure']

/** Maximum lines of a file shown in full, by preset. Source: document "Unified read_file". */
export const READ_PRESETS = Object.freeze({ aggressive: 50, balanced: 100, conservative: 200 })

/** Sizes in lines at which `auto` changes its mode. */
export interface ReadThreshold {
  /** Maximum lines of a file shown in full. */
  small: number
  /** Files of more lines are shown by structure alone. Default: no limit. */
  large?: number | undefined
}

/** Sizes at which `auto` changes its mode. */
export interface ThresholdOptions {
  /** For files that no glob matches. Default `balanced`: 100 lines, without an upper limit. */
  threshold?: keyof typeof READ_PRESETS | ReadThreshold | undefined
  /**
   * By glob, the first match wins: `{ '*.json': { small: 200, large: 1000 } }`. A glob without `/` matches the file
   * name.
   */
  thresholds?: Readonly<Record<string, ReadThreshold>> | undefined
}

/** @throws {TrimtabError} `invalid_option`. */
export function checkThresholds({ threshold = 'balanced', thresholds = {} }: ThresholdOptions): void {
  for (const [glob, limits] of Object.entries(thresholds)) {
    checkThreshold(limits, `thresholds[${JSON.stringify(glob)}]`)
  }
  if (typeof threshold !== 'string') {
    checkThreshold(threshold, 'threshold')
  } else if (!Object.hasOwn(READ_PRESETS, threshold)) {
    const names = Object.keys(READ_PRESETS).join(', ')
    refuse('threshold', `one of ${names}, or {small, large}`, threshold)
  }
}

/** Returns the threshold for a path. */
export async function thresholdOf(path: string, options: ThresholdOptions): Promise<ReadThreshold> {
  const byGlob = Object.entries(options.thresholds ?? {})
  const matcher = byGlob.length === 0 ? globMatcher : await loadMatcher()
  for (const [glob, threshold] of byGlob) {
    if (matcher(glob)(path)) return threshold
  }
  return defaultThreshold(options)
}

/** Returns the threshold for paths that no glob matches. */
export function defaultThreshold({ threshold = 'balanced' }: ThresholdOptions): ReadThreshold {
  return typeof threshold === 'string' ? { small: READ_PRESETS[threshold] } : threshold
}

/** Loads the engine's glob matcher. Its wasm bytes are loaded only if there are globs. */
async function loadMatcher(): Promise<typeof globMatcher> {
  if (files.isStarted) return globMatcher
  const { withFiles } = await import('../engine/with-files.js')
  return withFiles(globMatcher)
}

/** Resolves `auto` for a file above `small`: curated if there is a curator or a conversation, else structure. */
export function modeFor(lines: number, { small, large }: ReadThreshold, canCurate: boolean): ReadMode {
  if (lines <= small) return 'full'
  return canCurate && lines <= (large ?? Number.POSITIVE_INFINITY) ? 'curated' : 'structure'
}

function checkThreshold(threshold: ReadThreshold, argument: string): void {
  const { small, large } = (threshold ?? {}) as Partial<ReadThreshold>
  if (!isWhole(small) || (large !== undefined && !isWhole(large, small))) {
    refuse(argument, '{small, large}, whole numbers of lines with small <= large', threshold)
  }
  checkOptions(threshold, { small: COUNT, large: COUNT }, argument)
}
