// Whatever is passed where tokens, prices and policies are wanted: a TrimtabError, or a result without a hole in it.
import { expect, test } from 'vitest'
import * as calibration from '../../js/dist/calibration/index.js'
import { createEncoding } from '../../js/dist/encodings/custom.js'
import * as encodings from '../../js/dist/encodings/index.js'
import * as root from '../../js/dist/index.js'
import * as simulation from '../../js/dist/simulate/index.js'

const cyclic: Record<string, unknown> = { role: 'user', content: 'x' }
cyclic.self = cyclic
const cycle: unknown[] = []
cycle.push(cycle)

/** Values of every kind; any function takes some of them. */
const ODD: Record<string, unknown> = {
  undefined: undefined,
  null: null,
  NaN: Number.NaN,
  '-1': -1,
  Infinity: Number.POSITIVE_INFINITY,
  '1.5': 1.5,
  '2 ** 60': 2 ** 60,
  '0': 0,
  text: 'x',
  'an empty text': '',
  'an empty list': [],
  'a list of a number': [1],
  'an empty object': {},
  'an object without a text': Object.create(null),
  'a symbol': Symbol('x'),
  'a bigint': 10n,
  'a function': () => 1,
  true: true,
  'no date': new Date(Number.NaN),
  'a map': new Map(),
  'a cyclic object': cyclic,
  'a cyclic list': cycle,
}

const call = { id: 'a', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } }
const session = [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'a', content: 'x\n'.repeat(500) },
  { role: 'assistant', content: 'done' },
]
const prices = simulation.PRICES.anthropic
const bytes = Array.from({ length: 256 }, (_, byte) => `${btoa(String.fromCharCode(byte))} ${byte}`).join(
  '\n',
)

/** Calls with a value in some place, by what is called. The types would refuse most of them. */
// biome-ignore lint/suspicious/noExplicitAny: what callers without types do.
const CALLS: Record<string, (value: any) => unknown> = {
  'estimateTokens(it)': (it) => root.estimateTokens(it),
  'cacheAware(it)': (it) => root.cacheAware(it),
  'cacheAware({ character })': (it) => root.cacheAware({ character: it }),
  'cacheAware({ prices })': (it) => root.cacheAware({ prices: it }),
  'cacheAware({ prices.cacheRead })': (it) => root.cacheAware({ prices: { ...prices, cacheRead: it } }),
  'cacheAware({ prices.cacheSeconds })': (it) => root.cacheAware({ prices: { ...prices, cacheSeconds: it } }),
  'cacheAware({ window })': (it) => root.cacheAware({ window: it }),
  'cacheAware({ recall })': (it) => root.cacheAware({ recall: it }),
  'idle of project': (it) => new root.Context(root.cacheAware()).project(session, { idle: it }),
  'counter of a Context': (it) => new root.Context({}, { counter: it }).usage(session),
  'what a counter returns': (it) => new root.Context({}, { counter: () => it }).usage(session),
  'what a counter returns for a message': (it) =>
    new root.Context({}, { counter: (messages) => messages.map(() => it) }).usage(session),
  'calibration of a Context': (it) => new root.Context({}, { calibration: it }).usage(session),
  'calibrate(it)': (it) => {
    const context = new root.Context({})
    context.project(session)
    context.calibrate(it)
    return context.usage(session)
  },
  'simulate(it)': (it) => simulation.simulate(it, { off: {} }, { prices }),
  'simulate([it])': (it) => simulation.simulate([it], { off: {} }, { prices }),
  'policies of simulate': (it) => simulation.simulate(session, it, { prices }),
  'a policy of simulate': (it) => simulation.simulate(session, { it }, { prices }),
  'a view of simulate': (it) => simulation.simulate(session, { it: () => it }, { prices }),
  'options of simulate': (it) => simulation.simulate(session, { off: {} }, it),
  'prices of simulate': (it) => simulation.simulate(session, { off: {} }, { prices: it }),
  'prices.cacheWrite of simulate': (it) =>
    simulation.simulate(session, { off: {} }, { prices: { ...prices, cacheWrite: it } }),
  'window of simulate': (it) => simulation.simulate(session, { off: {} }, { window: it }),
  'ttl of simulate': (it) => simulation.simulate(session, { off: {} }, { ttl: it }),
  'times of simulate': (it) => simulation.simulate(session, { off: {} }, { times: it }),
  'a time of simulate': (it) => simulation.simulate(session, { off: {} }, { times: session.map(() => it) }),
  'system of simulate': (it) => simulation.simulate(session, { off: {} }, { system: it }),
  'measure of simulate': (it) => simulation.simulate(session, { off: {} }, { measure: it }),
  'what measure returns': (it) => simulation.simulate(session, { off: {} }, { measure: () => it }),
  'combineSimulations(it)': (it) => simulation.combineSimulations(it),
  'combineSimulations([it])': (it) => simulation.combineSimulations([it]),
  'simulationPicture(it)': (it) => simulation.simulationPicture(it),
  'tuningPicture(it)': (it) => simulation.tuningPicture(it),
  'evidenceShare(it)': (it) => simulation.evidenceShare(it),
  'requestCost(it)': (it) => simulation.requestCost(it, prices),
  'tokens.cached of requestCost': (it) => simulation.requestCost({ cached: it, written: 1 }, prices),
  'prices of requestCost': (it) => simulation.requestCost({ cached: 1, written: 1 }, it),
  'tune(it)': (it) => simulation.tune(it, { prices }),
  'tune([it])': (it) => simulation.tune([it], { prices }),
  'options of tune': (it) => simulation.tune([{ messages: session }], it),
  'window of tune': (it) => simulation.tune([{ messages: session }], { window: it }),
  'keep of tune': (it) => simulation.tune([{ messages: session }], { keep: it }),
  'candidates of tune': (it) => simulation.tune([{ messages: session }], { candidates: it }),
  'tuneCandidates(it)': (it) => simulation.tuneCandidates(it),
  'messageCounter(it)': (it) => calibration.messageCounter(it)(session, 'openai-chat'),
  'what a count returns': (it) => calibration.messageCounter(() => it)(session, 'openai-chat'),
  'estimateMessages(it)': (it) => calibration.estimateMessages(it, 'openai-chat'),
  'format of estimateMessages': (it) => calibration.estimateMessages(session, it),
  'reportedTokens(it)': (it) => calibration.reportedTokens(it),
  'usage of calibrateSession': (it) => calibration.calibrateSession(session, it, 'openai-chat'),
  'loadEncoding(it)': (it) => encodings.loadEncoding(it),
  'options of loadEncoding': (it) => encodings.loadEncoding('cl100k_base', it),
  'count(it)': async (it) => (await encodings.loadEncoding('cl100k_base')).count(it),
  'decode(it)': async (it) => (await encodings.loadEncoding('cl100k_base')).decode(it),
  'decode([it])': async (it) => (await encodings.loadEncoding('cl100k_base')).decode([it]),
  'allowSpecial: it': async (it) =>
    (await encodings.loadEncoding('cl100k_base')).count('x', { allowSpecial: it }),
  'allowSpecial: [it]': async (it) =>
    (await encodings.loadEncoding('cl100k_base')).count('x', { allowSpecial: [it] }),
  'createEncoding(it)': (it) => createEncoding(it),
  'vocabulary of createEncoding': (it) => createEncoding({ vocabulary: it, pattern: '.' }),
  'pattern of createEncoding': (it) => createEncoding({ vocabulary: bytes, pattern: it }),
  'special of createEncoding': (it) => createEncoding({ vocabulary: bytes, pattern: '.', special: it }),
  'a special token of createEncoding': (it) =>
    createEncoding({ vocabulary: bytes, pattern: '.', special: { '<x>': it } }),
}

/** What was computed holds no number that is none. */
function hasNaN(value: unknown, depth = 0): boolean {
  if (typeof value === 'number') return Number.isNaN(value)
  const isObject = typeof value === 'object' && value !== null && depth < 6
  return isObject && Object.values(value).some((part) => hasNaN(part, depth + 1))
}

test.each(Object.entries(CALLS))('%s', async (_, run) => {
  for (const [kind, value] of Object.entries(ODD)) {
    try {
      expect(hasNaN(await run(value)), kind).toBe(false)
    } catch (error) {
      if (!(error instanceof root.TrimtabError))
        throw new Error(`${kind}: ${String(error)}`, { cause: error })
      expect(error.message.length, kind).toBeGreaterThan(20)
    }
  }
})
