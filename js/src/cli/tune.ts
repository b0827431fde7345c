import { type SessionToTune, type Tuning, tune, tuningPicture } from '../money/index.js'
import { type Output, ofReplays, parse, type ReplayArguments, replayArguments } from './arguments.js'
import { Failure } from './failure.js'
import { TUNE_HELP } from './help.js'
import { nameOf } from './input.js'
import { Progress } from './progress.js'
import { screenOf } from './render.js'
import { naming, openSession } from './session.js'
import { amount, pricesNamed } from './simulate.js'
import { tuneText } from './tune-text.js'
import { writeWhole } from './write-whole.js'

export async function run(args: string[]): Promise<Output> {
  const options = { ...ofReplays, keep: { type: 'string' } } as const
  const { values, positionals } = parse('tune', args, options)
  if (values.help === true) return { stdout: TUNE_HELP }
  const stdout = await tuneCommand({
    ...replayArguments('tune', values, positionals),
    keep: values.keep,
  })
  return { stdout }
}

export interface TuneArguments extends ReplayArguments {
  /** In percent. */
  keep: string | undefined
}

/** Output of `trimtab tune`. */
export async function tuneCommand(args: TuneArguments): Promise<string> {
  const settings = {
    prices: pricesNamed(args.prices ?? 'anthropic'),
    ...amount('window', args.window),
    ...amount('ttl', args.ttl),
    ...share(args.keep),
  }
  const progress = new Progress()
  try {
    const sessions: SessionToTune[] = []
    for (const file of args.files) {
      const { messages, format, system, times } = await openSession(file, args, progress)
      sessions.push({
        messages,
        format,
        ...(system === undefined ? {} : { system }),
        ...(times === undefined ? {} : { times }),
      })
    }
    const files = args.files.map(nameOf)
    let now = 0
    const onProgress = (done: number, session: number): void => {
      now = session
      progress.update('replaying', done, 1)
    }
    const tuning: Tuning = naming(
      () => files[now] as string,
      () => tune(sessions, { ...settings, onProgress }),
    )
    if (args.svg !== undefined) writeWhole('svg', args.svg, tuningPicture(tuning))
    return args.json
      ? `${JSON.stringify({ files, ...tuning }, null, 2)}\n`
      : tuneText(files, tuning, screenOf(process.stdout, process.env))
  } finally {
    progress.clear()
  }
}

function share(given: string | undefined): { keep?: number } {
  if (given === undefined) return {}
  const value = Number(given)
  if (given.trim() !== '' && value >= 0 && value <= 100) return { keep: value / 100 }
  throw new Failure(`--keep ${given}: must be a number of percent from 0 to 100`)
}
