import { type Diagnosis, diagnose, diagnoseSession } from '../money/index.js'
import { readRequests } from '../transcripts/index.js'
import { nameOf, readText } from './input.js'
import { Progress } from './progress.js'
import { screenOf } from './render.js'
import { naming, sessionIn } from './session.js'
import { amount, pricesNamed } from './simulate.js'
import { whyText } from './why-text.js'

export interface WhyArguments {
  file: string
  prices: string | undefined
  ttl: string | undefined
  json: boolean
  /** How many requests are listed. */
  most: number
}

/** What `trimtab why` prints. */
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
