import { type Diagnosis, diagnose, diagnoseSession } from '../money/index.js'
import { readRequests } from '../transcripts/index.js'
import { help, type Output, onlyFile, parse, whole } from './arguments.js'
import { WHY_HELP } from './help.js'
import { nameOf, readText } from './input.js'
import { Progress } from './progress.js'
import { screenOf } from './render.js'
import { amount, pricesNamed } from './replay.js'
import { naming, sessionIn } from './session.js'
import { whyText } from './why-text.js'

/** Default number of requests that `trimtab why` lists. */
const MOST_LISTED = 10

export async function run(args: string[]): Promise<Output> {
  const options = {
    help,
    json: { type: 'boolean' },
    prices: { type: 'string' },
    ttl: { type: 'string' },
    most: { type: 'string' },
  } as const
  const { values, positionals } = parse('why', args, options)
  if (values.help === true) return { stdout: WHY_HELP }
  const stdout = await whyCommand({
    file: onlyFile('why', positionals),
    prices: values.prices,
    ttl: values.ttl,
    json: values.json === true,
    most: whole('--most', values.most) ?? MOST_LISTED,
  })
  return { stdout }
}

export interface WhyArguments {
  file: string
  prices: string | undefined
  ttl: string | undefined
  json: boolean
  /** Maximum number of requests listed. */
  most: number
}

/** Output of `trimtab why`. */
export async function whyCommand({ file, json, most, prices, ttl }: WhyArguments): Promise<string> {
  const settings = {
    ...(prices === undefined ? {} : { prices: pricesNamed(prices) }),
    ...amount('ttl', ttl),
  }
  const progress = new Progress()
  try {
    const text = await readText(file, progress)
    const find = (): Diagnosis => {
      const requests = readRequests(text, { name: nameOf(file) })
      if (requests !== undefined) return diagnose(requests, settings)
      return diagnoseSession(sessionIn(text, file, { fullHistory: true }, progress), settings)
    }
    const diagnosis = naming(() => nameOf(file), find)
    return json
      ? `${JSON.stringify({ file: nameOf(file), ...diagnosis }, null, 2)}\n`
      : whyText(nameOf(file), diagnosis, most, screenOf(process.stdout, process.env))
  } finally {
    progress.clear()
  }
}
