import * as fs from 'node:fs/promises'
import type { SessionFileSystem } from 'trimtab/sessions'

/** Kinds of faults. `late EIO`: the call does its work, and only its answer is lost. */
export type Fault = 'ENOSPC' | 'EIO' | 'EPERM' | 'short write' | 'late EIO'

export interface Faulty {
  fs: SessionFileSystem
  /** Number of calls of all kinds so far. */
  calls(): number
  /** Whether the fault happened. */
  hit(): boolean
}

/** A file system in which the call with number `at` fails, or all calls from it on with `forever`. */
export function faultyFs(fault: Fault, at: number, forever = false, system: object = fs): Faulty {
  let calls = 0
  let hit = false
  const isDue = () => {
    const number = calls++
    return forever ? number >= at : number === at
  }
  const code = fault === 'late EIO' ? 'EIO' : fault
  const failure = (name: string) => Object.assign(new Error(`${code}: injected in ${name}`), { code })

  function wrap<T extends object>(target: T): T {
    return new Proxy(target, {
      get(_, key) {
        const member = Reflect.get(target, key) as unknown
        if (typeof member !== 'function') return member
        return async (...args: unknown[]) => {
          const isFaulty = isDue()
          // A file is closed even if the system reports an error.
          if (isFaulty && key === 'close') await member.apply(target, args)
          if (isFaulty && fault === 'late EIO' && key !== 'open') await member.apply(target, args)
          if (isFaulty && fault !== 'short write') {
            hit = true
            throw failure(String(key))
          }
          if (isFaulty && key === 'write') {
            hit = true
            args[2] = Math.floor((args[2] as number) / 2)
          }
          if (isFaulty && key === 'close') return undefined
          const result: unknown = await member.apply(target, args)
          return key === 'open' ? wrap(result as object) : result
        }
      },
    })
  }

  return { fs: wrap({ ...system }) as unknown as SessionFileSystem, calls: () => calls, hit: () => hit }
}
