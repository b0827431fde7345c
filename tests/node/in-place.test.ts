import { Context, rollingContext } from 'trimtab'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { InPlaceChanges } from '../../js/dist/history/in-place-changes.js'
import { numberOf } from '../../js/dist/history/watched-fields.js'
import type { Turn } from './conversation.js'
import { FORMATS, type Format, type Message, write } from './write.js'

/** Fields with a case in the check have lower numbers than any field that is met for the first time. */
const FIRST_OTHER = numberOf('a field of no format')
const LONG = 'some output of a tool\n'.repeat(50)

/**
 * Contents of usual messages: prompts, texts, reasoning, one or several calls, and results as text, in parts
 * and with images.
 */
const call = { tool: 'read_file', path: 1, result: LONG, parts: false, images: 0, ephemeral: false }
const TURNS: Turn[] = [
  { prompt: false, text: 'a', reasoning: false, calls: [call] },
  { prompt: false, text: 'b', reasoning: true, calls: [call, { ...call, tool: 'bash', parts: true }] },
  { prompt: false, text: '', reasoning: false, calls: [{ ...call, tool: 'edit_file', body: LONG }] },
  { prompt: false, text: 'c', reasoning: true, calls: [{ ...call, images: 1 }, call, call] },
  { prompt: true, text: 'd', reasoning: false, calls: [] },
]

/** A user's image in each format. */
const IMAGES: Partial<Record<Format, Message>> = {
  'openai-chat': {
    role: 'user',
    content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
  },
  anthropic: {
    role: 'user',
    content: [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'text', text: 'what is it?' },
    ],
  },
  'openai-responses': { role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png' }] },
  'ai-sdk': { role: 'user', content: [{ type: 'image', image: 'AAAA' }] },
  'ai-sdk-ui': { id: 'i', role: 'user', parts: [{ type: 'file', mediaType: 'image/png', url: 'data:' }] },
  gemini: { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
  langchain: { type: 'human', content: [{ type: 'image_url', image_url: { url: 'data:image/png' } }] },
}

const messagesOf = (format: Format): Message[] => {
  const image = IMAGES[format]
  return [...write(TURNS, format), ...(image === undefined ? [] : [image])]
}

/** A new context, which has not read any of the messages. */
const context = (format: Format) => new Context(rollingContext({ maxToolOutputAge: 1 }), { format })

describe('detection of changes in place', () => {
  afterEach(() => vi.restoreAllMocks())

  test.each(FORMATS)('%s: takes the fast path for usual messages, and checks no value twice', (format) => {
    const seen: [holder: object, what: string | number][] = []
    const field = vi.spyOn(InPlaceChanges.prototype, 'field')
    const item = vi.spyOn(InPlaceChanges.prototype, 'item')
    context(format).project(messagesOf(format))
    for (const [holder, name] of field.mock.calls) seen.push([holder, name])
    for (const [list, index] of item.mock.calls) seen.push([list, index])
    expect(seen.length).toBeGreaterThan(20)

    const slow = seen.filter(([, what]) => typeof what === 'string' && numberOf(what) >= FIRST_OTHER)
    expect(slow.map(([, what]) => what)).toEqual([])
    const known = new Map<object, Set<string | number>>()
    const twice = seen.filter(([holder, what]) => {
      const of = known.get(holder) ?? new Set()
      known.set(holder, of)
      const isKnown = of.has(what)
      of.add(what)
      return isKnown
    })
    expect(twice.map(([, what]) => what)).toEqual([])
  })

  test.each(FORMATS)('%s: notices a change of each value that was read', (format) => {
    const messages = messagesOf(format)
    const watched: [message: number, holder: Message, what: string][] = []
    const changes = new Set<InPlaceChanges>()
    const entry = (holder: object, what: string | number) => {
      watched.push([at, holder as Message, String(what)])
    }
    let at = 0
    const { begin, field, item } = InPlaceChanges.prototype
    vi.spyOn(InPlaceChanges.prototype, 'begin').mockImplementation(function (
      this: InPlaceChanges,
      index,
      one,
    ) {
      changes.add(this)
      at = index
      begin.call(this, index, one)
    })
    vi.spyOn(InPlaceChanges.prototype, 'field').mockImplementation(function (
      this: InPlaceChanges,
      holder,
      key,
      value,
    ) {
      entry(holder, key)
      field.call(this, holder, key, value)
    })
    vi.spyOn(InPlaceChanges.prototype, 'item').mockImplementation(function (
      this: InPlaceChanges,
      list,
      index,
      value,
    ) {
      entry(list, index)
      item.call(this, list, index, value)
    })
    context(format).project(messages)
    const [watch] = [...changes]
    if (watch === undefined) throw new Error('nothing was read')
    expect(watch.countUnchanged(messages)).toBe(messages.length)
    for (const [index, holder, what] of watched) {
      if (what === 'length') continue
      const had = Object.hasOwn(holder, what)
      const before = holder[what]
      holder[what] = 'something else'
      expect(watch.countUnchanged(messages), `${format} messages[${index}]: ${what}`).toBe(index)
      if (had) holder[what] = before
      else delete holder[what]
    }
    expect(watch.countUnchanged(messages)).toBe(messages.length)
  })

  test('counts unchanged messages up to a grown list, a replaced message or a missing one', () => {
    const list = [{ text: 'a' }]
    const messages = [{ content: 'x' }, { content: list }, { content: 'y' }]
    const watch = new InPlaceChanges()
    for (const [index, message] of messages.entries()) {
      watch.begin(index, message)
      watch.field(message, 'content', message.content)
      if (message.content === list) watch.length(list)
    }
    expect(watch.countUnchanged(messages)).toBe(3)
    list.push({ text: 'b' })
    expect(watch.countUnchanged(messages)).toBe(1)
    list.pop()
    expect(watch.countUnchanged(messages.slice(0, 2))).toBe(2)
    expect(watch.countUnchanged([...messages.slice(0, 2), { content: 'y' }])).toBe(2)
    watch.forget(1)
    expect(watch.countUnchanged(messages)).toBe(1)
  })
})
