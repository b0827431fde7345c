// Recorded sessions for judging policies.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { PRICES } from '../../js/dist/entries/money.js'
import { readTranscript } from '../../js/dist/entries/transcripts.js'

/** Prices of a token read from the cache at which policies are judged; a write costs 1.25. */
export const READS = [0.1, 0.05, 0.025]
/** Number of requests below which a policy has no time to pay off: shorter sessions are reported separately. */
export const LONG = 100

/** Default location of sessions: they belong to other people, so they are not in the repository. */
const SHARED = new URL('../../../shared/data/', import.meta.url)

export const pricesAt = (cacheRead) => ({ ...PRICES.anthropic, cacheRead })

/**
 * @param {string[]} named paths
 * @returns {{ name: string, messages: object[], requests: number, options: object }[]}
 */
export function sessionsOf(named) {
  const files = named.length > 0 ? named : sharedFiles()
  if (files.length === 0) throw new Error('no session: npm run bench -- money FILE...')
  return files.map((file) => {
    const { messages, format, system } = readTranscript(readFileSync(file, 'utf8'), { history: 'full' })
    const options = { format, ...(system === undefined ? {} : { system }) }
    const requests = messages.filter(({ role }) => role === 'assistant').length
    return { name: basename(file).replace(/\..*$/, ''), messages, requests, options }
  })
}

function sharedFiles() {
  const names = existsSync(SHARED) ? readdirSync(SHARED) : []
  const isSession = (name) => /\.jsonl$|messages\.json$/.test(name)
  return names
    .filter(isSession)
    .sort()
    .map((name) => new URL(name, SHARED).pathname)
}
