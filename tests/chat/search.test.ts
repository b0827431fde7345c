import type { Format } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { memoryStore } from 'trimtab/sessions'
import { describe, expect, test } from 'vitest'
import { Conversation } from '../../www/src/chat/agent/conversation.js'
import { loadConversation, saveConversation } from '../../www/src/chat/agent/saving.js'
import { HITS_OF_A_CHAT, searchChat } from '../../www/src/chat/search/chats.js'
import { foundIn, snippetOf } from '../../www/src/chat/search/found-in.js'
import { ReadChats } from '../../www/src/chat/search/read-chats.js'

const CALL = {
  id: 'c1',
  type: 'function',
  function: {
    name: 'write_file',
    arguments: '{"file_path":"notes.md","content":"a \\"quoted\\" lighthouse"}',
  },
}
const MESSAGES = [
  { role: 'user', content: 'Where is the Harbour?' },
  { role: 'assistant', content: 'I look.', tool_calls: [CALL] },
  { role: 'tool', tool_call_id: 'c1', content: 'written\nKVITSØY 59.06' },
  { role: 'assistant', content: 'Near the harbour wall.' },
]

async function kept(format: Format, messages: readonly object[] = MESSAGES) {
  const store = memoryStore()
  const chat = new Conversation({ id: 'one', title: 'One', format, policy: {} })
  chat.append(convertMessages(messages as object[], format, { format: 'openai-chat' }).messages)
  await saveConversation(store, chat.toJSON(), {})
  const chats = new ReadChats((id) => loadConversation(store, id))
  return { store, search: (text: string) => searchChat({ id: 'one', version: 1, earlier: [] }, text, chats) }
}

describe('searchChat', () => {
  test.each<Format>(['openai-chat', 'anthropic', 'gemini', 'openai-responses'])(
    'finds text in messages, call arguments and results, in %s',
    async (format) => {
      const { search } = await kept(format)
      const found = async (text: string) => (await search(text)).map(({ snippet }) => snippet.found)
      expect(await found('harbour')).toEqual(['harbour', 'Harbour'])
      expect(await found('kvitsøy 59')).toEqual(['KVITSØY 59'])
      expect(await found('"quoted" light')).toEqual(['"quoted" light'])
      expect(await found('notes.md')).toEqual(['notes.md'])
      expect(await found('notesxmd')).toEqual([])
      expect(await found('written KVIT')).toEqual(['written KVIT'])
    },
  )

  test('searches terminal output without escape sequences', async () => {
    const output = '\u001b[33mwarn\u001b[0ming\u001b]0;title\u0007 in zone.ts'
    const { search } = await kept('openai-chat', [{ role: 'user', content: output }])
    expect(await search('warning in')).toMatchObject([{ snippet: { before: '', found: 'warning in' } }])
    expect(await search('33m')).toEqual([])
  })

  test('returns the message and the block of a hit', async () => {
    const { search } = await kept('openai-chat')
    expect(await search('harbour wall')).toMatchObject([
      { chat: 'one', segment: null, message: 3, block: 0, snippet: { before: 'Near the ', behind: '.' } },
    ])
    expect(await search('lighthouse')).toMatchObject([{ message: 1, block: 1 }])
  })

  test('returns a limited number of hits, the newest first', async () => {
    const many = Array.from({ length: 40 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: `tide ${at}`,
    }))
    const { search } = await kept('openai-chat', many)
    const hits = await search('tide')
    expect(hits).toHaveLength(HITS_OF_A_CHAT)
    expect(hits[0]).toMatchObject({ message: 39 })
  })

  test('searches earlier segments too, and skips missing ones', async () => {
    const { store } = await kept('openai-chat')
    const chat = new Conversation({ id: 'two', title: 'Two', format: 'openai-chat', policy: {} })
    chat.say('user', 'and then?', 1)
    await saveConversation(store, chat.toJSON(), {})
    const chats = new ReadChats((id) => loadConversation(store, id))
    const hits = await searchChat({ id: 'two', version: 1, earlier: ['gone', 'one'] }, 'lighthouse', chats)
    expect(hits).toMatchObject([{ chat: 'two', segment: 1, message: 1 }])
  })
})

describe('foundIn and snippetOf', () => {
  test('find regular expression characters literally', () => {
    for (const text of ['a.b', '(', '[x', 'a|b', '\\d', '$^', '{2}', '*+?', 'a-b', 'a/b', ']}'])
      expect(foundIn(`--${text}--`, text)).toEqual({ start: 2, end: 2 + text.length })
    expect(foundIn('aab', 'a+b')).toBeNull()
  })

  test('return a snippet of one line, without bidirectional control characters', () => {
    const whole = `${'x'.repeat(100)}\n\u202etide\u0007\n${'y'.repeat(200)}`
    const { before, found, behind } = snippetOf(
      whole,
      foundIn(whole, 'TIDE') as NonNullable<ReturnType<typeof foundIn>>,
    )
    expect(before).toMatch(/^…x+ $/)
    expect(found).toBe('tide')
    expect(behind).toMatch(/^ y+…$/)
  })

  test('return a snippet that splits no surrogate pair', () => {
    const whole = `${'\u{1f30a}'.repeat(60)}a tide`
    const { before } = snippetOf(whole, foundIn(whole, 'tide') as NonNullable<ReturnType<typeof foundIn>>)
    expect(before.isWellFormed()).toBe(true)
  })
})

describe('ReadChats', () => {
  /** Chats of a hundred characters each, and how often each was loaded. */
  function counted(most?: number) {
    const loads: string[] = []
    const chats = new ReadChats(async (id) => {
      loads.push(id)
      const chat = new Conversation({ id, title: id, format: 'openai-chat', policy: {} })
      chat.append([{ role: 'user', content: `tide ${id}`.padEnd(100, '.') }])
      return id === 'none' ? undefined : { conversation: chat.toJSON() }
    }, most)
    const search = (id: string, version = 1) => searchChat({ id, version, earlier: ['part'] }, 'none', chats)
    return { loads, search }
  }

  test('loads a chat once for several searches, and again after it was saved', async () => {
    const { loads, search } = counted()
    await search('a')
    await search('a')
    expect(loads).toEqual(['a', 'part'])
    await search('a', 2)
    await search('a', 2)
    expect(loads).toEqual(['a', 'part', 'a'])
  })

  test('drops the least recently used chats beyond its size, and does not remember a missing chat', async () => {
    const { loads, search } = counted(350)
    for (const id of ['a', 'b', 'c', 'c', 'b']) await search(id)
    // `part` is used with each, so `a` is the oldest.
    expect(loads).toEqual(['a', 'part', 'b', 'c'])
    await search('a')
    expect(loads.slice(4)).toEqual(['a'])
    await search('none')
    await search('none')
    expect(loads.slice(5)).toEqual(['none', 'none'])
    const small = counted(50)
    await small.search('a')
    await small.search('a')
    expect(small.loads).toEqual(['a', 'part', 'a', 'part'])
  })
})
