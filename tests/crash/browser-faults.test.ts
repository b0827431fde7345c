// Every call to the browser's storage fails, once or from there on, in a real browser: nothing that was
// stored is lost.
import type * as Trimtab from 'trimtab'
import type * as Sessions from 'trimtab/sessions'
import type * as Workspaces from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'
import { useTabs } from '../sessions/browser/tab.js'

declare const trimtab: typeof Trimtab & typeof Sessions & typeof Workspaces

const tabs = useTabs()

/** Result of a run in which the call with one number fails. */
interface Outcome {
  error: string | null
  /** What the error says about the write. */
  isWritten?: boolean | undefined
  found: unknown
}

/**
 * Makes the methods fail, with all calls counted together. The returned function undoes it and returns the
 * number of calls.
 */
type FailAt = (
  methods: [prototype: object, name: string][],
  fault: { at: number; forever: boolean; late: boolean },
) => () => number
declare const failAt: FailAt

/** Runs in the page: installs the function `failAt`. */
function installFailAt(): void {
  const failAt: FailAt = (methods, { at, forever, late }) => {
    let calls = 0
    const undo = methods.map(([prototype, name]) => {
      const whole = prototype as Record<string, (...args: unknown[]) => unknown>
      const method = whole[name] as (...args: unknown[]) => unknown
      whole[name] = function (...args) {
        const number = calls++
        const fails = forever ? number >= at : number === at
        if (!fails) return method.apply(this, args)
        const error = new DOMException(`injected in ${name}`, 'QuotaExceededError')
        if (!late) throw error
        return Promise.resolve(method.apply(this, args)).then(() => {
          throw error
        })
      }
      return () => {
        whole[name] = method
      }
    })
    return () => {
      for (const one of undo) one()
      return calls
    }
  }
  Object.assign(globalThis, { failAt })
}

const WAYS = [
  ['once', { forever: false, late: false }],
  ['from then on', { forever: true, late: false }],
  ['once, after its work', { forever: false, late: true }],
] as const

describe('a workspace in the browser’s file system (OPFS)', () => {
  test.each(WAYS)('a call that fails %s leaves the old or the new content', async (_, way) => {
    await tabs.page().evaluate(installFailAt)
    const outcomes = await tabs.page().evaluate(async (way) => {
      const opfs = await navigator.storage.getDirectory()
      const methods: [object, string][] = [
        [FileSystemDirectoryHandle.prototype, 'getDirectoryHandle'],
        [FileSystemDirectoryHandle.prototype, 'getFileHandle'],
        [FileSystemDirectoryHandle.prototype, 'removeEntry'],
        [FileSystemFileHandle.prototype, 'getFile'],
        // A stream that was created, but reported as a failure, would lock the file, and nobody could close
        // it.
        ...(way.late ? [] : [[FileSystemFileHandle.prototype, 'createWritable'] as [object, string]]),
        [FileSystemWritableFileStream.prototype, 'write'],
        [FileSystemWritableFileStream.prototype, 'close'],
      ]
      const textOf = async (path: string) => {
        const workspace = trimtab.createWorkspace({ opfs })
        if ((await workspace.stat(path)) === undefined) return null
        return new TextDecoder().decode((await workspace.readFile(path)).bytes)
      }
      const outcomes: Record<'old' | 'fresh', Outcome[]> = { old: [], fresh: [] }
      for (let at = 0; ; at++) {
        await trimtab.createWorkspace({ opfs }).writeFile('a/old.txt', 'OLD')
        const fresh = `b${at}/fresh.txt`
        let calls = 0
        for (const [kind, path] of [
          ['old', 'a/old.txt'],
          ['fresh', fresh],
        ] as const) {
          const workspace = trimtab.createWorkspace({ opfs })
          const restore = failAt(methods, { at, ...way })
          const told = await workspace.writeFile(path, 'NEW').then(
            () => ({ error: null }),
            (error: unknown) =>
              error instanceof trimtab.TrimtabError
                ? { error: error.code, isWritten: error.isWritten }
                : { error: String(error) },
          )
          calls = Math.max(calls, restore())
          outcomes[kind].push({ ...told, found: await textOf(path) })
        }
        if (at > calls) return outcomes
      }
    }, way)
    for (const { error, isWritten, found } of [...outcomes.old, ...outcomes.fresh]) {
      if (error !== null && !way.forever) expect(isWritten).toBe(found === 'NEW')
      if (isWritten === false) expect(found).not.toBe('NEW')
    }
    for (const { error, found } of outcomes.old) {
      expect(['OLD', 'NEW']).toContain(found)
      if (error === null) expect(found).toBe('NEW')
      else expect(error).toBe('file_failed')
    }
    for (const { error, found } of outcomes.fresh) {
      // The browser creates an empty file first; it stays only if it can no longer be removed.
      expect(way.forever ? [null, '', 'NEW'] : [null, 'NEW']).toContain(found)
      if (error === null) expect(found).toBe('NEW')
    }
    expect(outcomes.old.filter(({ error }) => error !== null).length).toBeGreaterThan(4)
    expect(outcomes.old.at(-1)).toEqual({ error: null, found: 'NEW' })
  })
})

describe('sessions in IndexedDB', () => {
  test.each(WAYS.slice(0, 2))('a call that fails %s loses no saved turn', async (_, way) => {
    await tabs.page().evaluate(installFailAt)
    const outcomes = await tabs.page().evaluate(async (way) => {
      const message = (text: string) => ({ role: 'user', content: text })
      const histories = [
        [message('1')],
        [message('1'), message('2')],
        [message('edited'), message('2')],
        [message('edited'), message('2'), message('3')],
      ]
      const methods: [object, string][] = [
        [IDBFactory.prototype, 'open'],
        [IDBDatabase.prototype, 'transaction'],
        ...['get', 'getAll', 'put', 'delete'].map((name): [object, string] => [
          IDBObjectStore.prototype,
          name,
        ]),
      ]
      const outcomes: {
        error: string | null
        isWritten: boolean | undefined
        loaded: number
        saved: number
        isWhole: boolean
      }[] = []
      for (let at = 0; ; at++) {
        const name = `${way.forever} ${at}`
        const store = trimtab.indexedDbStore({ name })
        const restore = failAt(methods, { at, ...way })
        let saved = -1
        let error: string | null = null
        let isWritten: boolean | undefined
        for (const [i, history] of histories.entries()) {
          error = await trimtab.saveSession(store, 's', { history }).then(
            () => null,
            (error: unknown) => {
              if (!(error instanceof trimtab.TrimtabError)) return String(error)
              isWritten = error.isWritten
              return error.code
            },
          )
          if (error !== null) break
          saved = i
        }
        const calls = restore()
        const after = trimtab.indexedDbStore({ name })
        const loaded = (await trimtab.loadSession(after, 's'))?.session.history
        const found = histories.findIndex((history) => JSON.stringify(history) === JSON.stringify(loaded))
        // The session continues from there, also in the store that failed.
        await trimtab.loadSession(store, 's')
        const more = [...(loaded ?? []), message('after')]
        await trimtab.saveSession(store, 's', { history: more })
        const again = (await trimtab.loadSession(trimtab.indexedDbStore({ name }), 's'))?.session.history
        const isWhole = JSON.stringify(again) === JSON.stringify(more)
        outcomes.push({ error, isWritten, loaded: found, saved, isWhole })
        if (at > calls) return outcomes
      }
    }, way)
    for (const { error, isWhole, isWritten, loaded, saved } of outcomes) {
      // A transaction that failed changed nothing.
      if (error !== null) expect(isWritten).toBe(false)
      expect({ loaded, isWhole }).toEqual({ loaded: saved, isWhole: true })
      expect([null, 'store_failed']).toContain(error)
    }
    expect(outcomes.filter(({ error }) => error !== null).length).toBeGreaterThan(10)
    expect(outcomes.at(-1)).toMatchObject({ error: null, saved: 3 })
  })
})
