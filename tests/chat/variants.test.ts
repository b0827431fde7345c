import { memoryStore } from 'trimtab/sessions'
import { describe, expect, test } from 'vitest'
import { Conversation } from '../../www/src/chat/agent/conversation.js'
import { loadConversation, saveConversation } from '../../www/src/chat/agent/saving.js'
import { rowsOf, type VariantsRow, withVariants } from '../../www/src/chat/agent/thread.js'
import { type Member, variantsOf } from '../../www/src/chat/agent/variants.js'

let made = 0
const taken = (id: string, chat: string, message: number): Member => {
  made += 1
  return { id, origin: { chat, message, made } }
}
const a: Member = { id: 'a' }

describe('variantsOf', () => {
  test('lists a chat and its branch', () => {
    const b = taken('b', 'a', 3)
    expect(variantsOf(a, [b, a])).toEqual([{ message: 3, chats: ['a', 'b'], shown: 0 }])
    expect(variantsOf(b, [b, a])).toEqual([{ message: 3, chats: ['a', 'b'], shown: 1 }])
    expect(variantsOf({ id: 'other' }, [b, a])).toEqual([])
  })

  test('lists all branches at one message together, in the order of creation', () => {
    const b = taken('b', 'a', 3)
    const c = taken('c', 'b', 3)
    const d = taken('d', 'a', 3)
    for (const [at, chat] of [a, b, c, d].entries())
      expect(variantsOf(chat, [d, a, c, b])).toEqual([{ message: 3, chats: ['a', 'b', 'c', 'd'], shown: at }])
  })

  test('lists both branching points of a branch of a branch, and those of its ancestors before them', () => {
    const b = taken('b', 'a', 3)
    const c = taken('c', 'b', 5)
    const d = taken('d', 'c', 1)
    const all = [a, b, c, d]
    expect(variantsOf(c, all)).toEqual([
      { message: 1, chats: ['a', 'd'], shown: 0 },
      { message: 3, chats: ['a', 'b'], shown: 1 },
      { message: 5, chats: ['b', 'c'], shown: 1 },
    ])
    expect(variantsOf(a, all)).toEqual([
      { message: 1, chats: ['a', 'd'], shown: 0 },
      { message: 3, chats: ['a', 'b'], shown: 0 },
    ])
    expect(variantsOf(d, all)).toEqual([{ message: 1, chats: ['a', 'd'], shown: 1 }])
  })

  test('leaves out deleted chats, and includes the open chat before it is stored', () => {
    const b = taken('b', 'a', 3)
    const c = taken('c', 'a', 3)
    expect(variantsOf(c, [b, c])).toEqual([{ message: 3, chats: ['b', 'c'], shown: 1 }])
    expect(variantsOf(c, [c])).toEqual([])
    expect(variantsOf(c, [a])).toEqual([{ message: 3, chats: ['a', 'c'], shown: 1 }])
  })

  test('ends if origins form a cycle', () => {
    const one = taken('one', 'two', 2)
    const two = taken('two', 'one', 2)
    expect(variantsOf(one, [one, two]).length).toBeLessThan(2)
  })
})

describe('the origin of a branch', () => {
  const policy = {}
  const chat = () => {
    const made = new Conversation({ id: 'a', title: 'A', format: 'openai-chat', policy })
    made.say('user', 'one', 1)
    made.say('assistant', 'two', 2)
    made.say('user', 'three', 3)
    made.say('assistant', 'four', 4)
    return made
  }

  test('is saved, and that of its own branches names the chat of the shared message', async () => {
    const branch = chat().branch(3, { id: 'b', title: 'A', made: 7 })
    expect(branch.origin).toEqual({ chat: 'a', message: 3, made: 7 })
    const store = memoryStore()
    await saveConversation(store, branch.toJSON(), {})
    const loaded = await loadConversation(store, 'b')
    const again = Conversation.fromJSON((loaded as NonNullable<typeof loaded>).conversation)
    expect(again.origin).toEqual(branch.origin)
    // What it shares with the first is of the first.
    for (const [length, chat] of [
      [1, 'a'],
      [3, 'a'],
      [4, 'b'],
    ] as const) {
      again.say('user', 'five', 5)
      expect(again.branch(length, { id: 'c', title: 'A', made: 8 }).origin).toEqual({
        chat,
        message: length,
        made: 8,
      })
    }
    expect(again.branch(1, { id: 'd', title: 'A' }).origin).toBeUndefined()
  })

  test('is shown as a row before its message, or at the end (withVariants)', () => {
    const { requests, notes, messages } = chat()
    const history = chat().history()
    const rows = rowsOf({ history, requests, notes, trims: [] })
    const row = (message: number): VariantsRow => ({
      kind: 'variants',
      key: `variants ${message}`,
      variants: { message, chats: ['a', 'b'], shown: 0 },
    })
    const keys = (...at: number[]) => withVariants(rows, at.map(row)).map(({ key }) => key)
    expect(keys()).toEqual(['0.0', '1.0', '2.0', '3.0'])
    expect(keys(0, 3)).toEqual(['variants 0', '0.0', '1.0', '2.0', 'variants 3', '3.0'])
    expect(keys(messages.length)).toEqual(['0.0', '1.0', '2.0', '3.0', 'variants 4'])
  })
})
