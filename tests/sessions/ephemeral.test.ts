// A saved session never contains ephemeral content: everything stored by each kind of store is searched.
import { cleanupEphemeralMessages } from 'trimtab'
import { loadSession, type SavedSession, saveSession } from 'trimtab/sessions'
import { describe, expect, test } from 'vitest'
import { assistant, loadedFrom, user } from './messages.js'
import { places } from './stores.js'

/** Text that must never be stored: long enough to be worth a stub. */
const SECRET_TEXT = 'content of a file that must go '.repeat(20)

describe.each(places)('sessions in %s', (_, make) => {
  test('never contain ephemeral content, saved before or after the end of the turn', async () => {
    const SECRET = 'content of a file that must go '
    const place = make()
    const store = place.open()
    const call = { id: 'c', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }
    const history: object[] = [user('go'), { role: 'assistant', content: '', tool_calls: [call] }]
    await saveSession(store, 's', { history })
    history.push({
      role: 'tool',
      tool_call_id: 'c',
      content: SECRET.repeat(20),
      metadata: { ephemeral: true },
    })
    expect((await saveSession(store, 's', { history })).written).toBe('append')
    history.push(assistant('done'))
    expect((await saveSession(store, 's', { history })).written).toBe('append')
    // The host ends the turn: the history is now what was saved.
    const ended = [...cleanupEphemeralMessages(history), user('next')]
    expect((await saveSession(store, 's', { history: ended })).written).toBe('append')
    // An edited session is written as a whole.
    await saveSession(store, 's', { history: history.with(0, user('edited')) })
    expect(await place.texts()).toContain('edited')
    expect(await place.texts()).not.toContain(SECRET)
    const loaded = await loadSession(place.open(), 's')
    expect(loaded?.session.history).toEqual(cleanupEphemeralMessages(history.with(0, user('edited'))))
  })

  test.each<[string, object]>([
    ['by metadata.ephemeral', { content: SECRET_TEXT, metadata: { ephemeral: true } }],
    ['by metadata.ephemeralMarker', { content: SECRET_TEXT, metadata: { ephemeralMarker: true } }],
    ['by _ephemeral of the message', { content: SECRET_TEXT, _ephemeral: true, _ephemeral_warning: 'w' }],
    [
      'by _ephemeral in the JSON of the result',
      { content: JSON.stringify({ _ephemeral: true, content: SECRET_TEXT }) },
    ],
  ])('contain no content marked as ephemeral %s', async (_, marked) => {
    const place = make()
    const store = place.open()
    const call = { id: 'c', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }
    const history: object[] = [
      user('go'),
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', ...marked },
    ]
    await saveSession(store, 'first', { history })
    const growing: object[] = history.slice(0, 2)
    await saveSession(store, 'later', { history: growing })
    growing.push(history[2] as object)
    expect((await saveSession(store, 'later', { history: growing })).written).toBe('append')
    expect((await saveSession(store, 'later', { history: growing })).written).toBe('nothing')
    expect(await place.texts()).not.toContain(SECRET_TEXT.slice(0, 20))
    expect(await loadedFrom(place.open(), 'later')).toEqual(await loadedFrom(place.open(), 'first'))
  })

  test('no longer contain content that was marked after a save, or was saved in an earlier version', async () => {
    const place = make()
    const call = { id: 'c', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }
    const result = { role: 'tool', tool_call_id: 'c', content: SECRET_TEXT }
    const history: object[] = [user('go'), { role: 'assistant', content: '', tool_calls: [call] }, result]
    const store = place.open()
    await saveSession(store, 'late', { history: history.slice(0, 2) })
    await saveSession(store, 'late', { history })
    Object.assign(result, { metadata: { ephemeral: true } })
    expect((await saveSession(store, 'late', { history })).written).toBe('checkpoint')
    const old = place.open()
    const messages = history.with(2, {
      role: 'tool',
      tool_call_id: 'c',
      content: SECRET_TEXT,
      _ephemeral: true,
    })
    await old.replace('old', JSON.stringify({ type: 'checkpoint', session: { messages } }))
    expect(await place.texts()).toContain(SECRET_TEXT)
    await loadSession(old, 'old')
    await saveSession(old, 'old', { history: await loadedFrom(old, 'old') })
    expect(await place.texts()).not.toContain(SECRET_TEXT.slice(0, 20))
    for (const id of ['late', 'old']) {
      const again = place.open()
      const loaded = await loadedFrom(again, id)
      expect(loaded).toHaveLength(3)
      expect((await saveSession(again, id, { history: [...loaded, user('on')] })).written).toBe('append')
    }
  })

  test('contain text of user and assistant that looks like an ephemeral result', async () => {
    const place = make()
    const words = JSON.stringify({ _ephemeral: true, content: 'an example of such a result' })
    const history = [user(words), assistant(words)]
    await saveSession(place.open(), 's', { history })
    expect(await loadedFrom(place.open())).toEqual(history)
  })

  test('contain no ephemeral content in other lists of messages, such as those dropped by compaction', async () => {
    const place = make()
    const store = place.open()
    const call = { id: 'c', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }
    const archive = [
      user('go'),
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: SECRET_TEXT, metadata: { ephemeral: true } },
    ]
    const others = { settings: { ephemeral: true }, flags: [{ ephemeral: true }, { other: 1 }] }
    const session = { history: [user('summary')], archive, ...others }
    await saveSession(store, 's', session)
    expect((await saveSession(store, 's', session)).written).toBe('nothing')
    expect(await place.texts()).not.toContain(SECRET_TEXT.slice(0, 20))
    const loaded = (await loadSession(place.open(), 's'))?.session
    expect(loaded).toMatchObject(others)
    expect(loaded?.archive).toEqual(cleanupEphemeralMessages(archive))
    expect(archive[2]).toMatchObject({ content: SECRET_TEXT })
  })

  test('contain no ephemeral content of messages anywhere in their fields', async () => {
    const place = make()
    const store = place.open()
    const secret = { role: 'tool', tool_call_id: 'c', content: SECRET_TEXT, metadata: { ephemeral: true } }
    const anthropic = {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'c', content: SECRET_TEXT }],
      metadata: { ephemeral: true },
    }
    const fields = {
      format: 'openai-chat' as const,
      withNotes: [user('go'), secret, { note: 1 }],
      mixed: [secret, anthropic],
      last: secret,
      nested: {
        runs: [
          { name: 'a', messages: [secret] },
          { name: 'b', when: new Date(0), bytes: new Uint8Array([1]) },
        ],
      },
    }
    await saveSession(store, 's', { history: [user('summary')], ...fields })
    expect(await place.texts()).not.toContain(SECRET_TEXT.slice(0, 20))
    const loaded = (await loadSession(place.open(), 's'))?.session
    const [removed] = cleanupEphemeralMessages([secret])
    expect(loaded).toMatchObject({
      withNotes: [user('go'), removed, { note: 1 }],
      mixed: [removed, cleanupEphemeralMessages([anthropic])[0]],
      last: removed,
      nested: { runs: [{ name: 'a', messages: [removed] }, fields.nested.runs[1]] },
    })
  })

  test('erase what was marked as ephemeral in a field after it was saved', async () => {
    const place = make()
    const store = place.open()
    const result = { role: 'tool', tool_call_id: 'c', content: SECRET_TEXT }
    const history = [user('go')]
    await saveSession(store, 's', { history, archive: [result], other: 1 })
    expect(await place.texts()).toContain(SECRET_TEXT.slice(0, 20))
    const archive = [{ ...result, metadata: { ephemeral: true } }]
    await saveSession(store, 's', { history, archive, other: 1 })
    expect(await place.texts()).not.toContain(SECRET_TEXT.slice(0, 20))
    expect((await saveSession(store, 's', { history, archive, other: 1 })).written).toBe('nothing')
  })

  test('lose ephemeral content that another program stored in a field', async () => {
    const place = make()
    const marked = { role: 'tool', tool_call_id: 'c', content: SECRET_TEXT, metadata: { ephemeral: true } }
    const saved = { version: 1, history: [user('go'), marked], archive: [marked] }
    await place
      .open()
      .replace('s', JSON.stringify({ type: 'checkpoint', session: saved }), undefined, { erase: false })
    const store = place.open()
    const { session } = (await loadSession(store, 's')) as { session: SavedSession }
    expect(JSON.stringify(session)).not.toContain(SECRET_TEXT.slice(0, 20))
    await saveSession(store, 's', session)
    expect(await place.texts()).not.toContain(SECRET_TEXT.slice(0, 20))
  })
})
