import { groups } from '../base/text.js'
import type { CauseTotal, Diagnosis, Miss, MissCause } from '../money/index.js'
import { type Column, inSections, paint, paragraph, right, type Screen, section, table } from './render.js'
import { clip, count, oneLine, percent } from './text.js'

/** Formats the output of `trimtab why` as text. */
export function whyText(file: string, diagnosis: Diagnosis, most: number, screen: Screen): string {
  if (diagnosis.requests === 0)
    return `${[title(file, screen), ...paragraph(NOTHING_TOLD, screen)].join('\n')}\n`
  const misses = diagnosis.misses.filter(({ tokens }) => tokens >= LEAST_LISTED)
  const sections = [
    heading(file, diagnosis, screen),
    section('Causes', causes(diagnosis, screen), screen),
    section(listed(misses.length, most), requests(misses.slice(0, most), diagnosis, screen), screen),
    notes(diagnosis).flatMap((note) => paragraph(note, screen)),
  ]
  return inSections(sections)
}

function heading(file: string, diagnosis: Diagnosis, screen: Screen): string[] {
  const { cost, from, input, isReported, missed, missedCost, read } = diagnosis
  const known = isReported ? 'as reported' : 'estimated'
  return [
    title(file, screen),
    ...paragraph(
      `${count(diagnosis.requests, 'request')}, ${groups(input)} input tokens (${known}), ${percent(read, input)} from the cache`,
      screen,
    ),
    ...paragraph(
      `${groups(missed)} had been sent before and were not read: ${percent(missedCost, cost)} of what the input cost`,
      screen,
    ),
    ...paragraph(from === 'requests' ? 'From the requests themselves.' : FROM_USAGE, screen),
  ]
}

function title(file: string, screen: Screen): string {
  const place = clip(oneLine(file), screen.width - 4, 'end')
  return `${paint('Why', 'bold', screen)} ${paint(place, 'dim', screen)}`
}

const NOTHING_TOLD =
  'No answer in it has the usage that its provider reported, so nothing is known of its requests. A log of requests tells, with usage or without.'

const FROM_USAGE =
  'From reported tokens, times and models, as far as they tell: the file has no requests, so what changed is concluded.'

function causes({ causes: totals, cost }: Diagnosis, screen: Screen): string[] {
  const columns: Column<CauseTotal>[] = [
    { title: 'cause', cell: ({ cause }) => cause.replace('-', ' ') },
    right('requests', (total) => groups(total.requests)),
    right('tokens', (total) => groups(total.tokens)),
    right('cost', (total) => percent(total.cost, cost)),
  ]
  return table(columns, totals, screen)
}

function listed(misses: number, most: number): string {
  return misses <= most ? 'Requests, worst first' : `The worst ${most} of ${count(misses, 'request')}`
}

function requests(misses: readonly Miss[], { cost, from }: Diagnosis, screen: Screen): string[] {
  const why = (miss: Miss): string[] => main(miss).map((cause) => inWords(cause, from))
  const columns: Column<Miss>[] = [
    right('#', ({ request }) => String(request)),
    right('tokens', (miss) => groups(miss.tokens)),
    right('cost', (miss) => percent(miss.cost, cost)),
    { title: 'why', flexible: true, wrap: true, cell: (miss) => oneLine(why(miss).join('; ')) },
  ]
  return table(columns, misses, screen)
}

/** Tokens below which a miss is not listed: a request often ends with a few tokens after its last cache mark. */
const LEAST_LISTED = 256

/** Leaves out a `not-marked` cause that explains less than 1% of the missed tokens. */
function main({ causes, tokens }: Miss): MissCause[] {
  return causes.filter((cause) => cause.cause !== 'not-marked' || cause.tokens * 100 >= tokens)
}

/** Describes a cause in a few words. */
function inWords(cause: MissCause, from: Diagnosis['from']): string {
  const { names = [] } = cause
  const some =
    names.length > 4 ? `${names.slice(0, 4).join(', ')} and ${names.length - 4} more` : names.join(', ')
  switch (cause.cause) {
    case 'model-changed':
      return names.length === 2 ? `the model changed from ${names[0]} to ${names[1]}` : 'the model changed'
    case 'tools-changed':
      return `tools changed${some === '' ? ': their order' : `: ${some}`}`
    case 'system-changed':
      return 'the system prompt changed'
    case 'settings-changed':
      return `settings changed: ${some}`
    case 'message-changed':
      return messageInWords(cause)
    case 'expired':
      return `expired: a pause of ${groups(cause.pauseSeconds ?? 0)} s, the cache lives ${groups(cause.cacheSeconds ?? 0)} s`
    case 'resumed':
      return 'resumed by another process'
    case 'too-short':
      return `too short: under ${groups(cause.leastTokens ?? 0)} tokens nothing is cached`
    case 'not-marked':
      return 'not marked to be cached by the request before'
    case 'unknown':
      return from === 'requests'
        ? 'evicted, or unknown: nothing changed, and the cache was to live on'
        : 'evicted, or tools or system prompt changed: the file does not say'
  }
}

const HOW = {
  cleared: 'old content was cleared from it on',
  compacted: 'the history was compacted',
  inserted: 'messages were put in before it',
  removed: 'messages were taken out before it',
  reordered: 'the same content came in another order',
  rewritten: 'the same content was written in another way',
  changed: 'it changed',
} as const

const BY = { policy: 'as a policy does', host: 'by the host', client: 'by the client' } as const

function messageInWords({ by, how, message }: MissCause): string {
  const place = message === undefined || message === null ? 'messages changed' : `message ${message}`
  const what = how === undefined || (place === 'messages changed' && how === 'changed') ? '' : `: ${HOW[how]}`
  return `${place}${what}${by === undefined ? '' : `, ${BY[by]}`}`
}

const ALL_READ = 'All that had been sent before was read from the cache.'
const NOTHING_READ =
  'No tokens were read from the cache, and none are known to have been sent before: the file may not report those of the cache.'

function notes({ hourWrite, isReported, misses, prices, read, requests }: Diagnosis): string[] {
  if (misses.length === 0) return [read === 0 && requests > 1 ? NOTHING_READ : ALL_READ]
  const forAnHour = hourWrite === null ? '' : `, one written for an hour ${hourWrite}`
  return [
    `cost: of what all input cost; a token from the cache costs ${prices.cacheRead}, one written to it ${prices.cacheWrite}${forAnHour}.`,
    '#: requests in their order, from 0. Messages are counted from 0 too.',
    ...(isReported ? [] : ['Without reported usage, the tokens read from the cache are computed.']),
  ]
}
