import fc from 'fast-check'
import { Context, type Policy, recall, rollingContext, TrimtabError } from 'trimtab'
import { createIndex, createReadDigests, type SavedDigests } from 'trimtab/index'
import { describe, expect, test } from 'vitest'
import { conversation, format } from '../node/conversation.js'
import { problems } from '../node/oracle.js'
import { runs } from '../node/random.js'
import { type Format, type Message, write } from '../node/write.js'

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** 60 functions; the one at index 30 is the one asked about. */
const FILE = Array.from({ length: 60 }, (_, at) =>
  at === 30
    ? ['function evictEntries(cache) {', '  return cache.evict(oldest)', '}', ''].join('\n')
    : [`function work${at}(input) {`, `  return input + ${at}`, '}', ''].join('\n'),
).join('\n')

const call = (id: string, name: string, args: object) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
})
const use = (id: string, content: string, name = 'read_file', args: object = { path: 'work.js' }) => [
  call(id, name, args),
  { role: 'tool', tool_call_id: id, content },
]
const prompt = (content: string) => ({ role: 'user', content })
const others = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => use(`o${from + at}`, 'ok', 'bash', { command: 'make' })).flat()

const POLICY: Policy = rollingContext({ preserveRecentFiles: false })

function filled() {
  const index = createIndex()
  index.add({ path: 'work.js', content: FILE })
  return index
}

describe('read digests', () => {
  const history = [prompt('Why does the cache not evict its entries?'), ...use('a', FILE), ...others(0, 3)]
  const later = [...history, prompt('Look at evictEntries again.'), ...others(3, 4)]

  test('show the relevant lines of an old read below its stub', () => {
    const context = new Context(POLICY)
    const digests = createReadDigests(filled(), { lines: 8 })
    expect(digests.apply(context.project(history)).digests).toEqual([])
    const projection = context.project(later)
    const { messages, digests: made, tokensAfter } = digests.apply(projection)
    const text = (messages[2] as { content: string }).content
    const [stub, head, ...lines] = text.split('\n')
    expect(stub).toMatch(/^\[cleared work\.js, \d+ chars; recall [0-9a-f]{8}\]$/)
    expect(head).toBe('Lines of it that matter now, 8 of 239:')
    expect(lines.join('\n')).toContain(' 121 | function evictEntries(cache) {')
    const numbered = lines.filter((line) => line !== '...')
    const own = FILE.split('\n')
    for (const line of numbered) {
      const [, number, rest] = /^ *(\d+) \| (.*)$/.exec(line) as unknown as [string, string, string]
      expect(rest).toBe(own[Number(number) - 1])
    }
    expect(numbered).toHaveLength(8)
    expect(made).toHaveLength(1)
    expect(made[0]).toMatchObject({ message: 2, block: 0, path: 'work.js' })
    expect(tokensAfter).toBe(
      projection.report.tokensAfter + (made[0]?.tokens ?? 0) - (projection.report.edits[0]?.tokensAfter ?? 0),
    )
    const reference = /recall ([0-9a-f]{8})/.exec(text)?.[1] as string
    expect(context.recall(reference).text).toBe(FILE)
  })

  test('stay the same in later steps and after a restart', () => {
    const context = new Context(POLICY)
    const digests = createReadDigests(filled(), { lines: 8 })
    const [first] = [digests.apply(context.project(later)).messages[2]]
    const longer = [...later, prompt('Now something else: work7.'), ...others(7, 3)]
    expect(digests.apply(context.project(longer)).messages[2]).toBe(first)
    const saved = copy(digests.toJSON())
    expect(JSON.stringify(saved)).not.toContain('evictEntries')
    const index = createIndex()
    const again = createReadDigests(index, { lines: 8, saved }).apply(
      Context.fromJSON(copy(context.toJSON())).project(copy(longer)),
    )
    expect(again.messages[2]).toEqual(first)
  })

  test('use the lines of the read if the file changed or is not in the index', () => {
    const index = createIndex()
    index.add({ path: 'work.js', content: 'function other() {}\n' })
    for (const each of [index, createIndex()]) {
      const { digests } = createReadDigests(each, { lines: 8 }).apply(new Context(POLICY).project(later))
      expect(digests).toHaveLength(1)
    }
  })

  test('number the lines of a slice as in the file', () => {
    const part = FILE.split('\n').slice(100, 180)
    const numbered = part.map((line, at) => `${String(at + 101).padStart(6)}\t${line}`).join('\n')
    const read = use('a', numbered, 'read_file', { path: 'work.js', offset: 101, limit: 80 })
    const messages = [prompt('evict'), ...read, ...others(0, 7)]
    const view = createReadDigests(filled(), { lines: 6 }).apply(new Context(POLICY).project(messages))
    expect((view.messages[2] as { content: string }).content).toContain(
      '\n 121 | function evictEntries(cache) {',
    )
  })

  test('number the same lines at two offsets separately', () => {
    const part = FILE.split('\n').slice(100, 180).join('\n')
    const reads = [1, 1001].flatMap((offset) =>
      use(`r${offset}`, part, 'read_file', { path: 'work.js', offset, limit: 80 }),
    )
    const messages = [prompt('evict'), ...reads, ...others(0, 7), prompt('evict')]
    const view = createReadDigests(createIndex(), { lines: 6 }).apply(new Context(POLICY).project(messages))
    const numbers = [2, 4].map((at) =>
      [...(view.messages[at] as { content: string }).content.matchAll(/^ *(\d+) \|/gm)].map(([, n]) =>
        Number(n),
      ),
    ) as [number[], number[]]
    expect(numbers[0]).toHaveLength(6)
    expect(numbers[1]).toEqual(numbers[0].map((number) => number + 1000))
  })

  test('are decided again if saved ranges do not fit the file', () => {
    const context = new Context(POLICY)
    const digests = createReadDigests(filled(), { lines: 8 })
    const view = digests.apply(context.project(later)).messages
    const saved = digests.toJSON()
    for (const row of saved.digests) row[1] = [[239, 999]]
    expect(createReadDigests(filled(), { lines: 8, saved }).apply(context.project(later)).messages).toEqual(
      view,
    )
  })

  test.each<[string, Policy]>([
    ['nothing is cleared', {}],
    ['its stub has no reference', { ...POLICY, recall: false }],
    ['its tool is protected', { ...POLICY, protect: { tools: ['read_file'] } }],
    ['its path is protected', { ...POLICY, protect: { paths: ['*.js'] } }],
  ])('are not made where %s', (_, policy) => {
    const projection = new Context(policy).project(later)
    const { messages, digests } = createReadDigests(filled()).apply(projection)
    expect(digests).toEqual([])
    expect(messages).toEqual(projection.messages)
  })

  test('keep the view within its budget', () => {
    const { tokensAfter } = new Context(POLICY).project(later).report
    const tight = new Context({ ...POLICY, budget: { maxTokens: tokensAfter + 50 } }).project(later)
    expect(tight.report.fits).toBe(true)
    expect(createReadDigests(filled(), { lines: 20 }).apply(tight).digests).toEqual([])
    const wide = new Context({ ...POLICY, budget: { maxTokens: 2600 } }).project(later)
    expect(createReadDigests(filled(), { lines: 20 }).apply(wide).digests).toHaveLength(1)
  })

  test('are not made of shell output, failures and ephemeral reads', () => {
    const ephemeral = use('e', `hunter2\n${FILE}`).map((m) =>
      m.role === 'tool' ? { ...m, metadata: { ephemeral: true } } : m,
    )
    const messages = [
      prompt('evict hunter2'),
      ...use('s', FILE, 'bash', { command: 'cat work.js' }),
      ...use('f', `Error: ${FILE}`),
      ...ephemeral,
      ...others(0, 7),
      prompt('evict hunter2'),
    ]
    const { messages: view, digests } = createReadDigests(filled()).apply(
      new Context(POLICY).project(messages),
    )
    expect(digests.map(({ message }) => message)).toEqual([])
    expect(JSON.stringify(view).match(/hunter2/g)).toHaveLength(2)
  })
})

describe('createReadDigests with invalid input', () => {
  test.each<[string, () => unknown, string]>([
    ['lines', () => createReadDigests(createIndex(), { lines: -1 }), 'lines'],
    ['an option', () => createReadDigests(createIndex(), { line: 1 } as never), 'line'],
    ['saved digests', () => createReadDigests(createIndex(), { saved: { version: 2 } as never }), 'saved'],
    ['a projection', () => createReadDigests(createIndex()).apply({ messages: [] } as never), 'projection'],
  ])('names the invalid argument: %s', (_, run, argument) => {
    try {
      run()
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(TrimtabError)
      expect(error).toMatchObject({ argument })
    }
  })
})

describe('invariants of views with read digests', () => {
  const policy = fc.record({
    age: fc.record({ maxToolOutputAge: fc.nat(4), preserveRecentFiles: fc.boolean() }),
    recall: fc.constant(true),
    ephemeral: fc.constant(true),
    reads: fc.boolean(),
    clearAtLeast: fc.constantFrom(0, 200),
  })
  const lines = fc.constantFrom(3, 10, 50)

  const resultTexts = (messages: readonly Message[]) => JSON.stringify(messages)

  function check(messages: Message[], format: Format, policy: Policy, lines: number): number {
    const index = createIndex()
    index.add({ path: 'src/file2.ts', content: 'line 1 of a file\n'.repeat(60) })
    const before = copy(messages)
    const context = new Context(policy, { format })
    const digests = createReadDigests(index, { lines })
    const texts = new Map<string, string>()
    let saved: SavedDigests | undefined
    let count = 0
    for (let length = 1; length <= messages.length; length++) {
      const history = messages.slice(0, length)
      if (problems(history, format).length > 0) continue
      const projection = context.project(history)
      const view = digests.apply(projection)
      expect(problems(view.messages, format)).toEqual([])
      expect(view.tokensAfter).toBeLessThanOrEqual(projection.report.tokensBefore)
      const digested = new Set(view.digests.map(({ message }) => message))
      view.messages.forEach((message, at) => {
        expect(message === projection.messages[at]).toBe(!digested.has(at))
      })
      // A second call returns the same objects, and saved digests give the same views.
      expect(digests.apply(projection).messages.every((message, at) => message === view.messages[at])).toBe(
        true,
      )
      saved = copy(digests.toJSON())
      const restored = createReadDigests(index, { lines, saved }).apply(projection)
      expect(restored.messages).toEqual(view.messages)
      // Digests are recognized as stubs: projecting the view again gives the same as with stubs.
      const again = new Context(policy, { format }).project(view.messages)
      const ofStubs = new Context(policy, { format }).project(projection.messages)
      again.messages.forEach((message, at) => {
        expect(message).toEqual(digested.has(at) ? view.messages[at] : ofStubs.messages[at])
      })
      for (const { message, block, tokens } of view.digests) {
        const edit = projection.report.edits.find((each) => each.message === message && each.block === block)
        expect(tokens * 2).toBeLessThanOrEqual((edit?.tokensBefore ?? 0) + 2)
        const reference = /recall ([0-9a-f]{8})\]$/.exec(edit?.text ?? '')?.[1] as string
        expect(recall(history, reference, { format }).text.length).toBeGreaterThan(3 * tokens)
        const text = resultTexts([view.messages[message] as Message])
        const key = `${message} ${block} ${reference}`
        if (digested.size === view.digests.length) expect(texts.get(key) ?? text).toBe(text)
        texts.set(key, text)
      }
      count += view.digests.length
    }
    expect(messages).toEqual(before)
    return count
  }

  test('hold in every format and for every length of the history', () => {
    let count = 0
    fc.assert(
      fc.property(conversation, format, policy, lines, (turns, format, policy, lines) => {
        count += check(write(turns, format), format, policy, lines)
      }),
      { numRuns: Math.ceil(runs.numRuns / 4) },
    )
    // The property proves nothing if no digest occurs.
    expect(count).toBeGreaterThan(100)
  })
})
