// Every call to a key-value storage fails once, before or after its work: no saved turn is lost.
import { TrimtabError } from 'trimtab'
import { loadSession, type SavedSession, saveSession, unstorageStore } from 'trimtab/sessions'
import { createStorage, type Storage } from 'unstorage'
import { afterAll, describe, expect, test } from 'vitest'

interface Fault {
  /** Number of the failing call, from 0; with `forever`, all calls from it on fail. */
  at: number
  forever: boolean
  /** Whether the call does its work and only its answer is lost. */
  late: boolean
}

function faulty(storage: Storage, { at, forever, late }: Fault): { storage: Storage; calls(): number } {
  let calls = 0
  const proxy = new Proxy(storage, {
    get(target, key) {
      const member = Reflect.get(target, key) as unknown
      if (typeof member !== 'function') return member
      return async (...args: unknown[]) => {
        const number = calls++
        const fails = forever ? number >= at : number === at
        if (fails && !late) throw new Error(`${String(key)}: the connection was lost`)
        const result: unknown = await member.apply(target, args)
        if (fails) throw new Error(`${String(key)}: the answer was lost`)
        return result
      }
    },
  })
  return { storage: proxy, calls: () => calls }
}

const message = (text: string) => ({ role: 'user', content: text })
/** Appends and checkpoints: each save can fail at any of its calls. */
const histories = [
  [message('1')],
  [message('1'), message('2')],
  [message('edited'), message('2')],
  [message('edited again'), { ...message('2'), metadata: { ephemeral: true } }],
  [message('edited once more')],
  [message('edited once more'), message('last')],
]

let runs = 0
afterAll(() => {
  console.log(`key-value: ${runs} runs with a fault`)
  expect(runs).toBeGreaterThan(150)
})

describe.each([
  ['before its work is done', false],
  ['after its work is done', true],
])('a call to key-value storage that fails %s', (_, late) => {
  test.each([
    ['once', false],
    ['from then on', true],
  ])('%s: no saved turn is lost, and the session continues', async (_, forever) => {
    let failures = 0
    for (let at = 0; ; at++) {
      runs++
      const storage = createStorage()
      const failing = faulty(storage, { at, forever, late })
      const store = unstorageStore({ storage: failing.storage })
      let saved: SavedSession | undefined
      let tried: SavedSession | undefined
      for (const history of histories) {
        tried = { version: 1, history }
        const error = await saveSession(store, 's', tried).catch((error: unknown) => error)
        if (error instanceof Error) {
          expect(error).toBeInstanceOf(TrimtabError)
          expect(error).toMatchObject({ code: 'store_failed' })
          failures++
          break
        }
        saved = tried
      }
      const after = unstorageStore({ storage })
      const loaded = (await loadSession(after, 's'))?.session
      // A failed save may have been stored nevertheless.
      expect([saved, tried]).toContainEqual(loaded)
      const history = [...(loaded?.history ?? []), message('after')]
      await saveSession(after, 's', { history })
      expect((await loadSession(unstorageStore({ storage }), 's'))?.session.history).toEqual(history)
      if (at > failing.calls()) break
    }
    expect(failures).toBeGreaterThan(20)
  })
})
