import { given } from '../base/json.js'
import { type Diagnosis, diagnose, diagnoseSession } from '../money/index.js'
import { readRequests } from '../transcripts/index.js'
import { help, type Output, onlyFile, parse, whole } from './arguments.js'
import { WHY_HELP } from './help.js'
import { nameOf, readText } from './input.js'
import { withProgress } from './progress.js'
import { printed } from './render.js'
import { pricesNamed, secondsOf } from './replay.js'
import { naming, parsing, sessionIn } from './session.js'
import { whyText } from './why-text.js'

/** Default number of requests that `trimtab why` lists. */
const MOST_LISTED = 10

const OPTIONS = {
  help,
  json: { type: 'boolean' },
  prices: { type: 'string' },
  ttl: { type: 'string' },
  most: { type: 'string' },
} as const

/** `trimtab why`. */
export async function run(args: string[]): Promise<Output> {
  const { values, positionals } = parse('why', args, OPTIONS)
  if (values.help === true) return { stdout: WHY_HELP }
  const { json = false, prices, ttl } = values
  const file = onlyFile('why', positionals)
  const name = nameOf(file)
  const most = whole('--most', values.most) ?? MOST_LISTED
  const settings = given({
    prices: prices === undefined ? undefined : pricesNamed(prices),
    ttl: secondsOf(ttl),
  })
  return withProgress(async (progress) => {
    const text = await readText(file, progress)
    const find = (): Diagnosis => {
      const requests = parsing(() => readRequests(text, { name }))
      if (requests !== undefined) return diagnose(requests, settings)
      return diagnoseSession(sessionIn(text, file, { fullHistory: true }, progress), settings)
    }
    const diagnosis = naming(() => file, find)
    return printed(json, { file: name, ...diagnosis }, (_, screen) => whyText(name, diagnosis, most, screen))
  })
}
