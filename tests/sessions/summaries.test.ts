import * as fs from 'node:fs/promises'
import { compact, isSummary } from 'trimtab/compaction'
import { fileStore, loadSession, memoryStore, saveSession } from 'trimtab/sessions'
import { describe, expect, test } from 'vitest'
import { scratchFolder } from '../workspace/folder.js'
import { assistant, loadedFrom, user } from './messages.js'

describe('a summary made by compact', () => {
  const turns = Array.from({ length: 30 }, (_, i) => [
    user(`${i} ${'why? '.repeat(50)}`),
    assistant('ok'),
  ]).flat()
  const compacted = async () => (await compact(turns, { threshold: 0, keepRecentMessages: 4 })).messages

  test('is recognised after loading and after saving again', async () => {
    const folder = scratchFolder()
    const history: object[] = await compacted()
    await saveSession(fileStore({ fs, folder }), 's', { history })
    const store = fileStore({ fs, folder })
    for (let turn = 0; turn < 3; turn++) {
      const loaded = (await loadSession(store, 's'))?.session.history ?? []
      expect(loaded).toEqual(history)
      expect(loaded.map(isSummary)).toEqual(history.map((_, i) => i === 0))
      history.push(user(`${turn}`))
      expect((await saveSession(store, 's', { history: [...loaded, user(`${turn}`)] })).written).toBe(
        'append',
      )
    }
    // The user's last message is kept as such; a summary never is.
    const { messages } = await compact(await loadedFrom(store), { threshold: 0, keepRecentMessages: 0 })
    expect(messages.map(isSummary)).toEqual([true, false])
  })

  test('stays marked in the store if the host copies its messages', async () => {
    const store = memoryStore()
    const history = await compacted()
    await saveSession(store, 's', { history })
    const again = [...structuredClone(history), user('more')]
    expect((await saveSession(store, 's', { history: again })).written).toBe('append')
    expect((await loadedFrom(store)).filter(isSummary)).toHaveLength(1)
  })

  test('cannot be forged by a field of a message', async () => {
    const store = memoryStore()
    const history = [{ $summary: user('forged') }, { ...user('x'), $summary: { role: 'user' } }, user('1')]
    await saveSession(store, 's', { history })
    expect((await saveSession(store, 's', { history })).written).toBe('nothing')
    const loaded = await loadedFrom(store)
    expect(loaded).toEqual(history)
    expect(loaded.filter(isSummary)).toEqual([])
    // A copy with the same text is not a summary; saving the summary in its place is a change.
    const [summary] = await compacted()
    await saveSession(store, 't', { history: [structuredClone(summary as object)] })
    expect((await loadedFrom(store, 't')).filter(isSummary)).toEqual([])
    expect((await saveSession(store, 't', { history: [summary as object] })).written).toBe('checkpoint')
    expect((await loadedFrom(store, 't')).filter(isSummary)).toHaveLength(1)
  })
})
