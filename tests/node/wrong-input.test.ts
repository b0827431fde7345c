// Any value in place of tokens, prices and policies: the result is a TrimtabError, or a value without NaN.

import * as root from 'trimtab'
import * as encodings from 'trimtab/encodings'
import { createEncoding } from 'trimtab/encodings/custom'
import * as simulation from 'trimtab/money'
import * as panel from 'trimtab/panel'
import * as calibration from 'trimtab/tokens'
import { type Calls, testEach } from './odd-values.js'

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

const CALLS: Calls = {
  'what a counter returns to countMessages': (it) =>
    calibration.countMessages(session, { counter: () => it as never }),
  'estimateTokens(it)': (it) => calibration.estimateTokens(it),
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
  'onView(it)': (it) => {
    const context = new root.Context({})
    const stop = context.onView(it)
    stop()
  },
  'definePanel(it)': (it) => panel.definePanel(it),
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
  'counter of simulate': (it) => simulation.simulate(session, { off: {} }, { counter: it }),
  'what counter returns': (it) => simulation.simulate(session, { off: {} }, { counter: () => it }),
  'cheapestPolicy(it)': (it) => simulation.cheapestPolicy(it),
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
  'tuneCandidates(it)': (it) => simulation.tuneCandidates({ window: it }),
  'messageCounter(it)': (it) => calibration.messageCounter(it)(session, 'openai-chat'),
  'what a count returns': (it) => calibration.messageCounter(() => it)(session, 'openai-chat'),
  'estimateMessages(it)': (it) => calibration.estimateMessages(it, { format: 'openai-chat' }),
  'format of estimateMessages': (it) => calibration.estimateMessages(session, { format: it }),
  'new TokenMeter(it)': (it) => new calibration.TokenMeter({ format: it }),
  'calibration of a TokenMeter': (it) =>
    new calibration.TokenMeter({ format: 'openai-chat', calibration: it }).tokens(session),
  'tokens(it)': (it) => new calibration.TokenMeter({ format: 'openai-chat' }).tokens(it),
  'report(it)': (it) => new calibration.TokenMeter({ format: 'openai-chat' }).report(session, it),
  'reportedTokens(it)': (it) => calibration.reportedTokens(it),
  'usage of calibrateSession': (it) => calibration.calibrateSession(session, it, { format: 'openai-chat' }),
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

testEach(CALLS)
