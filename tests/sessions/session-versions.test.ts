import { readFileSync } from 'node:fs'
import { project, rollingContext } from 'trimtab'
import {
  loadSession,
  memoryStore,
  migrateSession,
  type SavedSession,
  type SessionStore,
  saveSession,
} from 'trimtab/sessions'
import { describe, expect, test } from 'vitest'
import { codeOf } from '../workspace/code-of.js'
import { assistant, user } from './messages.js'

describe('versions of sessions', () => {
  test('version 0 is a list of messages, or an object with messages', () => {
    const messages = [user('hi'), assistant('yes')]
    expect(migrateSession(messages)).toEqual({ version: 1, history: messages })
    expect(migrateSession({ messages, name: 'x', version: 0 })).toEqual({
      version: 1,
      history: messages,
      name: 'x',
    })
    expect(migrateSession({ version: 1, history: messages, other: 1 })).toEqual({
      version: 1,
      history: messages,
      other: 1,
    })
  })

  test('content marked as ephemeral in version 0 is not loaded', async () => {
    const LONG = 'secret content '.repeat(40)
    const call = (id: string) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } })
    const result = (id: string, extra: object) => ({
      role: 'tool',
      tool_call_id: id,
      content: LONG,
      ...extra,
    })
    const old = {
      messages: [
        user('go'),
        { role: 'assistant', content: '', tool_calls: ['a', 'b', 'c', 'd'].map(call) },
        result('a', { _ephemeral: true, _ephemeral_warning: 'w' }),
        result('b', { content: JSON.stringify({ content: LONG, _ephemeral: true }) }),
        result('c', { metadata: { ephemeral: true } }),
        result('d', { content: 'kept: "_ephemeral" is a word in it' }),
      ],
    }
    const store = memoryStore()
    await store.replace('s', JSON.stringify({ type: 'checkpoint', session: old }))
    const loaded = await loadSession<{ content: string }>(store, 's')
    expect(JSON.stringify(loaded)).not.toContain('secret')
    expect(loaded?.session.history).toHaveLength(6)
    expect(loaded?.session.history[5]).toBe(loaded?.session.history.at(-1))
    expect(loaded?.session.history[5]?.content).toMatch('kept')
    // After another save, it is removed from the store too.
    expect((await saveSession(store, 's', loaded?.session as SavedSession)).written).toBe('checkpoint')
    expect(JSON.stringify(await store.read('s'))).not.toContain('secret')
  })

  test('newer versions are refused, in a session and in an entry', async () => {
    for (const version of [2, 99, '1', -1, 0.5, null]) {
      expect(() => migrateSession({ version, history: [] })).toThrow(
        expect.objectContaining({ code: 'unsupported_session' }),
      )
    }
    const store = memoryStore()
    const { version } = await store.replace('s', '{"type":"checkpoint","session":{"version":2,"history":[]}}')
    expect(await codeOf(loadSession(store, 's'))).toBe('unsupported_session')
    expect(await codeOf(saveSession(store, 's', { history: [] }))).toBe('unsupported_session')
    await store.replace('s', '{"type":"checkpoint","session":{"version":1,"history":[]}}', version)
    await store.append(
      's',
      '{"type":"append","version":2,"from":0,"messages":[]}',
      (await store.read('s'))?.version ?? '',
    )
    expect(await codeOf(loadSession(store, 's'))).toBe('unsupported_session')
  })

  test.each([null, 7, 'text', {}, { history: {} }, { history: [1] }, [null], { version: 1, messages: [] }])(
    '%j is refused as a session',
    (saved) => {
      expect(() => migrateSession(saved)).toThrow(expect.objectContaining({ code: 'invalid_session' }))
    },
  )

  test.each([
    ['no JSON'],
    ['[]'],
    ['{"type":"append","version":1,"from":0,"messages":[]}'],
    ['{"type":"checkpoint"}'],
    [
      '{"type":"checkpoint","session":{"version":1,"history":[]}}',
      '{"type":"other","version":1,"messages":[]}',
    ],
    [
      '{"type":"checkpoint","session":{"version":1,"history":[]}}',
      '{"type":"append","version":1,"messages":7}',
    ],
  ])('unknown entries give an error: %s', async (...entries) => {
    const store: SessionStore = {
      ...memoryStore(),
      read: async () => ({ entries, version: '1', repairs: [], unmerged: [] }),
    }
    expect(await codeOf(loadSession(store, 's'))).toBe('unreadable_session')
  })

  test('a loaded session has the same view as the original', async () => {
    const text = readFileSync(new URL('../../examples/session.jsonl', import.meta.url), 'utf8')
    const { readTranscript } = await import('trimtab/transcripts')
    const { messages } = readTranscript(text)
    const store = memoryStore()
    await saveSession(store, 's', { history: messages as object[] })
    const loaded = await loadSession(store, 's')
    const view = project(messages as object[], rollingContext()).messages
    expect(project(loaded?.session.history ?? [], rollingContext()).messages).toEqual(view)
    expect(
      project(migrateSession(JSON.parse(JSON.stringify(messages))).history, rollingContext()).messages,
    ).toEqual(view)
  })
})
