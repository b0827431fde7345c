import { type SessionToTune, tune, tuningPicture } from '../money/index.js'
import { numberOf, type Output, parse, someFiles } from './arguments.js'
import { TUNE_HELP } from './help.js'
import { ofReplays, replay, replaySettings, sessionToReplay } from './replay.js'
import { naming } from './session.js'
import { tuneText } from './tune-text.js'

/** `trimtab tune`. */
export async function run(args: string[]): Promise<Output> {
  const options = { ...ofReplays, keep: { type: 'string' } } as const
  const { values, positionals } = parse('tune', args, options)
  if (values.help === true) return { stdout: TUNE_HELP }
  const paths = someFiles('tune', positionals)
  const settings = { ...replaySettings(values), ...share(values.keep) }
  return replay(paths, values, {
    async run(progress) {
      const sessions: SessionToTune[] = []
      for (const path of paths) sessions.push(await sessionToReplay(path, values, progress))
      let now = 0
      const onProgress = (done: number, session: number): void => {
        now = session
        progress.update('replaying', done, 1)
      }
      return naming(
        () => paths[now] as string,
        () => tune(sessions, { ...settings, onProgress }),
      )
    },
    picture: tuningPicture,
    text: tuneText,
  })
}

/** A fraction such as 0.95 is hardly meant as one percent. */
const isPercent = (n: number) => n === 0 || (n >= 1 && n <= 100)

/** The share of the evidence to keep, given in percent. */
function share(percent: string | undefined): { keep?: number } {
  const keep = numberOf('--keep', percent, 'a number of percent, 0 or from 1 to 100', isPercent)
  return keep === undefined ? {} : { keep: keep / 100 }
}
