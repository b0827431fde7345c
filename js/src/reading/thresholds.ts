import { isWhole, refuse } from '../base/check.js'
import { files } from '../engine/files.js'
import { globMatcher } from '../files/glob.js'

/** How a file is to be shown. `auto` decides by its size. */
export type ReadMode = 'auto' | 'full' | 'curated' | 'structure'

/** The modes, for a tool's schema. */
export const READ_MODES: readonly ReadMode[] = ['auto', 'full', 'curated', 'structure']

/** The number of lines up to which a file is shown in full, by preset. Document "Unified read_file". */
export const READ_PRESETS = Object.freeze({ aggressive: 50, balanced: 100, conservative: 200 })

/** Sizes in lines at which `auto` changes its mode. */
export interface ReadThreshold {
  /** Files of at most so many lines are shown in full. */
  small: number
  /** Files of more lines are shown by their structure alone. Default: none are. */
  large?: number
}

/** When `auto` shows a file how. */
export interface ThresholdOptions {
  /** For files that no glob matches. Default `balanced`: 100 lines, and no upper size. */
  threshold?: keyof typeof READ_PRESETS | ReadThreshold
  /** By glob, the first that matches: `{ '*.json': { small: 200, large: 1000 } }`. A glob without `/` is about the name. */
  thresholds?: Readonly<Record<string, ReadThreshold>>
}

/** The threshold of a path. */
export async function thresholdOf(path: string, options: ThresholdOptions): Promise<ReadThreshold> {
  const byGlob = Object.entries(options.thresholds ?? {})
  const matcher = byGlob.length === 0 ? globMatcher : await loadMatcher()
  for (const [glob, threshold] of byGlob) {
    if (matcher(glob)(path)) return checked(threshold, `thresholds[${JSON.stringify(glob)}]`)
  }
  const { threshold = 'balanced' } = options
  if (typeof threshold !== 'string') return checked(threshold, 'threshold')
  if (Object.hasOwn(READ_PRESETS, threshold)) return { small: READ_PRESETS[threshold] }
  const names = Object.keys(READ_PRESETS).join(', ')
  return refuse('threshold', `one of ${names}, or {small, large}`, threshold)
}

/** Globs are the engine's: its bytes are not for those who have none, so that they come when they are needed. */
async function loadMatcher(): Promise<typeof globMatcher> {
  if (files.isStarted) return globMatcher
  const { withFiles } = await import('../engine/with-files.js')
  return withFiles(globMatcher)
}

/** What `auto` means for a file: curated where something says what matters, else the structure. */
export function modeFor(lines: number, { small, large }: ReadThreshold, canCurate: boolean): ReadMode {
  if (lines <= small) return 'full'
  return canCurate && lines <= (large ?? Number.POSITIVE_INFINITY) ? 'curated' : 'structure'
}

function checked(threshold: ReadThreshold, argument: string): ReadThreshold {
  const { small, large } = (threshold ?? {}) as Partial<ReadThreshold>
  if (isWhole(small) && (large === undefined || isWhole(large, small))) return threshold
  return refuse(argument, '{small, large}, whole numbers of lines with small <= large', threshold)
}
