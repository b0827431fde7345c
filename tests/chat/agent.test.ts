import { readFileSync } from 'node:fs'
import {
  type BlockFacts,
  cacheAware,
  type MessageFacts,
  off,
  type Policy,
  readMessages,
  rollingContext,
  smartRetention,
  validate,
} from 'trimtab'
import { PRICES, simulate } from 'trimtab/money'
import { memoryStore } from 'trimtab/sessions'
import { readTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'
import { type Answer, asking } from '../../www/src/chat/agent/approval.js'
import { Conversation } from '../../www/src/chat/agent/conversation.js'
import { LocalDecisions } from '../../www/src/chat/agent/decisions.js'
import { RecordedHistory } from '../../www/src/chat/agent/history.js'
import type { Model } from '../../www/src/chat/agent/model.js'
import { HeldPace } from '../../www/src/chat/agent/pace.js'
import { memoryPlace, type Place } from '../../www/src/chat/agent/places.js'
import { recordedRequests } from '../../www/src/chat/agent/recorded-requests.js'
import { replaySession } from '../../www/src/chat/agent/replay-session.js'
import { costOf, editsAfter, type SentRequest } from '../../www/src/chat/agent/requests.js'
import { type Agent, runTurn } from '../../www/src/chat/agent/run-turn.js'
import { loadConversation, saveConversation } from '../../www/src/chat/agent/saving.js'
import { scriptedModel } from '../../www/src/chat/agent/scripted-model.js'
import { rowsOf } from '../../www/src/chat/agent/thread.js'
import { workbenchFor } from '../../www/src/chat/agent/tools.js'
import { TrimReader } from '../../www/src/chat/agent/trims.js'
import { asScripted, asSimulated, steered, steeredOf } from '../../www/src/chat/policies.js'
import { Packing, Unpacking } from '../../www/src/chat/worker/packed-view.js'

/** Id of the first call. */
const firstCall = (read: ReturnType<typeof readMessages>) =>
  read.blocks().find(({ kind }) => kind === 'tool-call')?.callId ?? ''

function trimsOf(requests: readonly SentRequest[]) {
  const reader = new TrimReader()
  reader.read(requests)
  return reader.trims
}

const atOnce = async (_: number, signal: AbortSignal) => signal.throwIfAborted()

interface Bench {
  conversation: Conversation
  changedFiles: Place['changedFiles']
  say(
    text: string,
    options?: { model?: Model; signal?: AbortSignal; refusal?: Agent['refusal'] },
  ): Promise<void>
}

function bench(policy: Policy = asScripted(cacheAware())): Bench {
  const conversation = new Conversation({ id: 'one', title: 'One', format: 'openai-chat', policy })
  const place = memoryPlace()
  const { tools } = workbenchFor(conversation, place)
  const { changedFiles } = place
  let clock = 0
  const now = () => {
    clock += 1000
    return clock
  }
  return {
    conversation,
    changedFiles,
    async say(text, { model = scriptedModel(atOnce), signal = new AbortController().signal, refusal } = {}) {
      conversation.say('user', text, now())
      await runTurn(conversation, {
        model,
        tools,
        signal,
        now,
        ...(refusal === undefined ? {} : { refusal }),
      })
    },
  }
}

function lastText({ messages, format }: Conversation): string {
  const history = readMessages(messages, { format })
  const block = history.blocks().at(-1)
  return block === undefined ? '' : history.textOf(block)
}

describe('the scripted model', () => {
  test('renames a symbol in a file', async () => {
    const { say, changedFiles, conversation } = bench()
    await say('rename nextHighWater to nextHigh in src/app.ts')
    expect((await changedFiles())['src/app.ts']).not.toContain('nextHighWater')
    expect((await changedFiles())['src/app.ts']).toContain('nextHigh(station, now)')
    expect(conversation.requests).toHaveLength(3)
    expect(validate(conversation.messages)).toEqual([])
  })

  test.each([
    ['read src/app.ts', 'read_file', 'announce'],
    ['read 2-3 of src/zone.ts', 'read_lines', 'Midnight'],
    ['list files', 'list_files', 'src/zone.ts'],
    ['search for dayOf(', 'search', 'src/tides.ts'],
    ['run wc src/app.ts', 'shell', '12 lines'],
    ['Run the long log', 'shell', '600/600'],
    ['write notes.md: one line', 'write_file', 'notes.md'],
    ['append two to README.md', 'append_to_file', 'README.md'],
  ])('calls the right tool for a command: %s', async (command, tool, part) => {
    const { say, conversation } = bench()
    await say(command)
    const history = readMessages(conversation.messages)
    const result = history.blocks().find(({ kind }) => kind === 'tool-result')
    expect(result?.tool).toBe(tool)
    expect(result === undefined ? '' : history.textOf(result)).toContain(part)
    expect(result?.isError).toBe(false)
  })

  test.each([
    ['rename foo to bar in src/app.ts', 'There is no `foo` in `src/app.ts`.'],
    ['search foo in src/app.ts', 'There is no `foo` in `src/app.ts`.'],
    ['find quux', 'No file has `quux`.'],
  ])('says that nothing was found, and edits nothing: %s', async (command, answer) => {
    const { say, changedFiles, conversation } = bench()
    await say(command)
    expect(lastText(conversation)).toBe(answer)
    expect(await changedFiles()).toEqual({})
  })

  test('writes a text with the full stop at its end', async () => {
    const { say, changedFiles } = bench()
    await say('write notes.md: The offset is added.')
    expect((await changedFiles())['notes.md']).toBe('The offset is added.\n')
  })

  test('reports a failed command, a missing file and an unknown command', async () => {
    const { say, conversation } = bench()
    await say('run npm test')
    expect(lastText(conversation)).toContain('npm: command not found')
    await say('read src/none.ts')
    expect(lastText(conversation)).toContain('src/none.ts')
    await say('what is the meaning of it?')
    expect(lastText(conversation)).toContain('I am a script')
  })

  test('leaves no content of an ephemeral read after its turn', async () => {
    const { say, conversation } = bench()
    await say('Read src/stations.ts once')
    expect(JSON.stringify(conversation.messages)).not.toContain('Stavanger outer')
    expect(validate(conversation.messages)).toEqual([])
  })
})

describe('a turn', () => {
  test('fixes the error, and has the long log trimmed', async () => {
    const { say, conversation, changedFiles } = bench()
    await say('Fix the failing tests')
    expect((await changedFiles())['src/zone.ts']).toContain('now.getTime() + offset')
    const trims = trimsOf(conversation.requests)
    expect(trims.length).toBeGreaterThan(0)
    const [first] = trims
    const at = conversation.requests[first?.request ?? -1]
    expect(first?.after).toBe(at?.sent)
    expect((first?.before ?? 0) - (first?.after ?? 0)).toBeGreaterThan(3000)
    const kinds = rowsOf({
      history: readMessages(conversation.messages),
      requests: conversation.requests,
      trims,
      notes: [],
    }).map(({ kind }) => kind)
    expect(kinds.slice(0, 4)).toEqual(['user', 'reasoning', 'text', 'tool'])
    expect(kinds.filter((kind) => kind === 'trim')).toHaveLength(trims.length)
  })

  test('is predicted by ahead, which does not change the conversation', async () => {
    for (const policy of [asScripted(cacheAware()), rollingContext(), off()]) {
      const { say, conversation } = bench(policy)
      await say('Fix the failing tests')
      for (const text of ['list files', 'Run the long log', 'read src/zone.ts']) {
        const before = JSON.stringify(conversation)
        const requests = conversation.requests.length
        // The clock of the bench advances by one second.
        const now = (conversation.requests.at(-1)?.time ?? 0) + 1000
        const { sent, full, cached } = await conversation.ahead(now)
        expect(JSON.stringify(conversation)).toBe(before)
        await say(text)
        const said = readMessages([{ role: 'user', content: text }]).blocks()[0]?.tokens ?? 0
        const made = conversation.requests[requests]
        expect([made?.sent, made?.full]).toEqual([sent + said, full + said])
        expect(made?.cached).toBe(cached)
      }
    }
  })

  test('can recall a trimmed result', async () => {
    const { say, conversation } = bench()
    await say('Fix the failing tests')
    const stub = [...editsAfter(conversation.requests).values()].find(
      ({ tokensBefore }) => tokensBefore > 5000,
    )
    const reference = /recall ([0-9a-f]+)/.exec(stub?.text ?? '')?.[1]
    expect(reference).toBeDefined()
    await say(`recall ${reference}`)
    const history = readMessages(conversation.messages)
    const result = history.blocks().findLast(({ tool, kind }) => tool === 'recall' && kind === 'tool-result')
    expect(result === undefined ? '' : history.textOf(result)).toContain('600/600')
  })

  test('sends the content of an undone trim again, and trims nothing until trimming resumes', async () => {
    const { say, conversation } = bench()
    await say('Fix the failing tests')
    const trim = trimsOf(conversation.requests).at(-1)
    const request = conversation.requests[trim?.request ?? -1]
    if (request === undefined) throw new Error('nothing was trimmed')
    const sentBefore = conversation.requests.at(-1)?.sent ?? 0
    conversation.undoTrim(request)
    await say('list files')
    expect(conversation.requests.at(-1)?.sent).toBeGreaterThan(sentBefore + 3000)
    await say('run the long log')
    await say('list files')
    await say('list files')
    expect(trimsOf(conversation.requests).at(-1)?.request).toBe(trim?.request)
    conversation.resumeTrimming()
    await say('list files')
    await say('list files')
    expect(trimsOf(conversation.requests).at(-1)?.request).toBeGreaterThan(trim?.request ?? 0)
  })

  test('leaves a valid history if it is stopped during an answer', async () => {
    const { say, conversation } = bench()
    const stop = new AbortController()
    let waits = 0
    const model = scriptedModel(async (_, signal) => {
      waits += 1
      if (waits === 8) stop.abort()
      signal.throwIfAborted()
    })
    await say('Run the long log', { model, signal: stop.signal })
    expect(conversation.draft).toBeNull()
    expect(conversation.activity).toBeNull()
    expect(conversation.notes).toEqual([{ after: conversation.messages.length, kind: 'stopped' }])
    expect(validate(conversation.messages)).toEqual([])
    await say('list files')
    expect(lastText(conversation)).toBe('Those are the files.')
  })

  test('leaves a result for each call if it is stopped before a tool runs', async () => {
    const { say, conversation } = bench()
    const stop = new AbortController()
    await say('Fix the failing tests', {
      signal: stop.signal,
      refusal: async () => {
        stop.abort()
        return null
      },
    })
    expect(validate(conversation.messages)).toEqual([])
    expect(JSON.stringify(conversation.messages)).toContain('stopped by the user')
  })

  test('gives a denied call a result with the reason of the user', async () => {
    const { say, conversation, changedFiles } = bench()
    const asked: string[] = []
    const refusal = asking(
      async ({ name }) => {
        asked.push(name)
        return { kind: 'refused', word: ' not that file ' }
      },
      { all: false },
    )
    await say('read README.md', { refusal })
    await say('write notes.md: one', { refusal })
    expect(asked).toEqual(['write_file'])
    expect(await changedFiles()).toEqual({})
    expect(lastText(conversation)).toContain('the user did not allow this call: not that file')
    expect(validate(conversation.messages)).toEqual([])
  })

  test('asks again after a call was allowed once, but not after it was allowed for the chat', async () => {
    const { say, changedFiles } = bench()
    const answers: Answer['kind'][] = ['once', 'chat']
    let asked = 0
    const refusal = asking(
      async () => {
        asked += 1
        return { kind: answers.shift() as 'once' | 'chat' }
      },
      { all: false },
    )
    for (const name of ['one', 'two', 'three', 'four']) await say(`write ${name}.md: ${name}`, { refusal })
    expect(asked).toBe(2)
    expect(Object.keys(await changedFiles())).toHaveLength(4)
  })

  test('reports the error of a model that fails, and can be repeated', async () => {
    const { say, conversation } = bench()
    const model: Model = {
      format: 'openai-chat',
      // biome-ignore lint/correctness/useYield: it fails before any output
      async *answer() {
        throw new Error('429: too many requests')
      },
    }
    await say('list files', { model })
    expect(conversation.failure).toBe('429: too many requests')
    expect(conversation.messages).toHaveLength(1)
    conversation.truncate(0)
    await say('list files')
    expect(conversation.failure).toBeNull()
  })

  test('sends the same view after the conversation was saved and loaded', async () => {
    const { say, conversation } = bench()
    await say('Fix the failing tests')
    const again = Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)))
    expect(again.toJSON()).toEqual(conversation.toJSON())
    expect(await again.request(99_000)).toEqual(await conversation.request(99_000))
    expect(again.requests.at(-1)?.edits).toEqual([])
  })
})

test('a store holds the conversation, its requests and changed files, and no ephemeral content', async () => {
  const { say, conversation, changedFiles } = bench()
  const store = memoryStore()
  await say('Read src/stations.ts once')
  await say('rename nextHighWater to nextHigh in src/app.ts')
  await saveConversation(store, conversation.toJSON(), await changedFiles())
  await say('list files')
  await saveConversation(store, conversation.toJSON(), await changedFiles())
  const loaded = await loadConversation(store, 'one')
  expect(loaded?.conversation).toEqual(conversation.toJSON())
  expect(Object.keys(loaded?.files ?? {}).sort()).toEqual(['src/app.ts'])
  expect(JSON.stringify(await store.read('one')).includes('Stavanger outer')).toBe(false)
  expect(await loadConversation(store, 'two')).toBeUndefined()
})

describe('pins and branches', () => {
  const trimmed = async () => {
    const one = bench()
    await one.say('fix the failing tests')
    const edits = editsAfter(one.conversation.requests)
    const history = readMessages(one.conversation.messages, { format: 'openai-chat' })
    const blocks = history.blocks().filter((block) => edits.has(`${block.message}.${block.block}`))
    const largest = blocks.sort((a, b) => b.tokens - a.tokens)[0]
    if (largest?.callId == null) throw new Error('nothing was trimmed')
    return { ...one, largest, id: largest.callId }
  }
  const isTrimmed = (conversation: Conversation, { message, block }: { message: number; block: number }) =>
    editsAfter(conversation.requests).has(`${message}.${block}`)

  test('a pinned result is sent again, also under another policy and after loading, until it is unpinned', async () => {
    const { conversation, say, largest, id } = await trimmed()
    conversation.steer({ pinned: [id], excluded: [] })
    await say('list files')
    expect(isTrimmed(conversation, largest)).toBe(false)

    const store = memoryStore()
    await saveConversation(store, conversation.toJSON(), {})
    const saved = (await loadConversation(store, 'one'))?.conversation
    if (saved === undefined) throw new Error('nothing was saved')
    const loaded = Conversation.fromJSON(saved)
    expect(loaded.policy.protect?.pinned).toEqual([id])
    loaded.setPolicy(steered(rollingContext({ maxToolOutputAge: 0 }), steeredOf(loaded.policy)))
    const shown = await loaded.request(1_000_000)
    expect(shown[largest.message]).toBe(loaded.messages[largest.message])

    conversation.steer({ pinned: [], excluded: [] })
    await say('list files')
    await say('list files')
    expect(isTrimmed(conversation, largest)).toBe(true)
  })

  test('a branch has the messages and edits before it, and leaves the original unchanged', async () => {
    const { conversation, say, largest } = await trimmed()
    await say('list files')
    const before = conversation.messages.length
    const history = readMessages(conversation.messages, { format: 'openai-chat' })
    const asked = history.messages.findLastIndex(({ role }) => role === 'user')
    const branch = conversation.branch(asked, { id: 'two', title: 'Two' })
    branch.say('user', 'something else', 1)
    expect(branch.messages).toHaveLength(asked + 1)
    expect(validate(await branch.request(2))).toEqual([])
    expect(isTrimmed(branch, largest)).toBe(true)
    expect(conversation.messages).toHaveLength(before)
  })
})

describe('a recorded session that is played', () => {
  const sample = readTranscript(
    readFileSync(new URL('../../examples/session.jsonl', import.meta.url), 'utf8'),
  )
  const read = readMessages(sample.messages, { format: sample.format })
  const replayed = async (policy: Policy) => {
    const conversation = new Conversation({ id: 's', title: 'S', format: sample.format, policy })
    await replaySession(conversation, sample, read, new HeldPace(new AbortController().signal, 1e9))
    return conversation
  }

  test.each([
    ['cache-aware', cacheAware()],
    ['rolling', rollingContext()],
    ['off', off()],
  ])('sends the tokens that simulate counts, under the policy %s', async (_, policy) => {
    const conversation = await replayed(asSimulated(policy))
    expect(conversation.messages).toEqual(sample.messages)
    const { system: _system, ...bare } = sample
    const { policies } = simulate(
      bare.messages,
      { one: policy },
      {
        format: sample.format,
        prices: PRICES.anthropic,
        ...(sample.times === undefined ? {} : { times: sample.times }),
        bounds: false,
      },
    )
    expect(conversation.requests.map(({ sent }) => sent)).toEqual(policies[0]?.contextTokens)
    const { sent, full } = costOf(conversation.requests, PRICES.anthropic)
    expect(sent / full).toBeCloseTo(policies[0]?.relativeCost ?? 0, 2)
  })

  test.each([
    ['cache-aware', asSimulated(cacheAware({ window: 40_000 }))],
    ['rolling', asSimulated(rollingContext())],
    ['smart', asSimulated(smartRetention())],
    ['exclude', asSimulated(steered(rollingContext(), { pinned: [], excluded: [firstCall(read)] }))],
  ])('has the requests that recordedRequests computes, under the policy %s', async (_, policy) => {
    const conversation = await replayed(policy)
    const { format, times } = sample
    const session = { messages: sample.messages, facts: read.messages, format, ...(times ? { times } : {}) }
    const requests = [...recordedRequests(session, policy)].map(({ request }) => request)
    const played = conversation.requests.map(({ stateBefore: _state, ...request }) => request)
    expect(requests).toEqual(played)
    expect(played.some(({ edits }) => edits.length > 0)).toBe(true)
  })

  test('reads the same from given facts as from its messages, also of a prefix (RecordedHistory)', () => {
    const facts = structuredClone(read.messages)
    const recorded = new RecordedHistory(sample.messages, sample.format, facts)
    for (const block of read.blocks()) {
      expect(recorded.textOf(block)).toBe(read.textOf(block))
      expect(recorded.callOf(block)).toEqual(read.callOf(block))
      expect(recorded.resultOf(block)).toEqual(read.resultOf(block))
      if (block.kind === 'tool-call') expect(recorded.argumentsOf(block)).toEqual(read.argumentsOf(block))
    }
    const call = read.blocks().find((block) => block.kind === 'tool-call') as BlockFacts
    const before = recorded.before(call.message + 1)
    expect(before.messages).toHaveLength(call.message + 1)
    expect(recorded.resultOf(call)).toBeDefined()
    expect(before.resultOf(call)).toBeUndefined()
  })

  test('reads the same message by message as at once (RecordedHistory)', () => {
    // A growing history does not report whether a later message supersedes a block.
    const told = (messages: readonly MessageFacts[]) =>
      messages.map((message) => ({
        ...message,
        blocks: message.blocks.map(({ isSuperseded: _, ...block }) => block),
      }))
    const expected = told(read.messages)
    for (let length = 0; length < sample.messages.length; length++) {
      const start = sample.messages.slice(0, length)
      const facts = readMessages(start, { format: sample.format }).messages
      const grown = new RecordedHistory(start, sample.format, facts).of(sample.messages)
      expect(told(grown.messages)).toEqual(expected)
    }
    const other = { ...(sample.messages[3] as object) }
    const changed = [...sample.messages.slice(0, 3), other, ...sample.messages.slice(4)]
    const history = RecordedHistory.empty(sample.format).of(sample.messages)
    expect(told(history.of(sample.messages.slice(0, 9)).messages)).toEqual(expected.slice(0, 9))
    expect(told(history.of(changed).messages)).toEqual(expected)
  })

  test('sends a view to another thread as indices, and each edited message once (Packing)', async () => {
    const policy = asSimulated(rollingContext({ maxToolOutputAge: 0 }))
    const decisions = new LocalDecisions({ format: sample.format, policy, edits: [] })
    const packing = new Packing()
    const unpacking = new Unpacking()
    let crossed = 0
    let edited = 0
    for (const length of [9, 21, 33, sample.messages.length]) {
      const messages = sample.messages.slice(0, length)
      const { view } = await decisions.next(messages, length * 1000)
      const packed = structuredClone(packing.pack(view, messages))
      expect(unpacking.unpack(packed, messages)).toEqual(view)
      crossed += packed.edited.length
      edited += view.filter((message) => !messages.includes(message)).length
    }
    expect(crossed).toBeGreaterThan(0)
    expect(crossed).toBeLessThan(edited)
  })

  test('can be paused before a request, stepped and continued', async () => {
    const stop = new AbortController()
    const pace = new HeldPace(stop.signal, 1e9)
    pace.pause()
    const conversation = new Conversation({ id: 's', title: 'S', format: sample.format, policy: off() })
    const end = replaySession(conversation, sample, read, pace)
    const settle = () => new Promise((resolve) => setTimeout(resolve, 20))
    await settle()
    expect(conversation.requests).toHaveLength(0)
    pace.step()
    await settle()
    expect(conversation.requests).toHaveLength(1)
    pace.play()
    await end
    expect(conversation.requests.length).toBeGreaterThan(20)
  })

  test('ends with the reason if it is stopped', async () => {
    const stop = new AbortController()
    const pace = new HeldPace(stop.signal, 1)
    const conversation = new Conversation({ id: 's', title: 'S', format: sample.format, policy: off() })
    const end = replaySession(conversation, sample, read, pace)
    stop.abort(new Error('stopped'))
    await expect(end).rejects.toThrow('stopped')
  })
})
