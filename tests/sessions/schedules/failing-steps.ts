// A file system whose calls are the steps of a schedule, each of which can fail in the ways that disks do.
import type { SessionFileSystem } from 'trimtab/sessions'
import type { Step } from './schedules.js'

/** What the calls of one program are like at a time. */
interface Calls {
  /** Whether they are no steps. */
  free: boolean
  /** Whether they can fail. */
  failures: boolean
  /** Whether the power may fail, so that the order of syncs matters. */
  power: boolean
  /** Whether the moment at which a temporary file is made matters. Otherwise it is made as early as possible. */
  temporaries: boolean
}

type Call = () => Promise<unknown>

/** Wraps a file system so that each call is a step; calls that concern only their own program are private. */
export function failingSteps(
  fs: SessionFileSystem,
  folder: string,
  step: Step,
  calls: Calls,
): SessionFileSystem {
  const wrap = <T extends object>(target: T, isPrivate: (method: string, args: unknown[]) => boolean): T =>
    new Proxy(target, {
      get(_, key) {
        const member = Reflect.get(target, key) as unknown
        if (typeof member !== 'function') return member
        if (key === 'toJSON') return member.bind(target)
        const method = String(key)
        return (...args: unknown[]) => {
          const call: Call = async () => {
            const result: unknown = await member.apply(target, args)
            return method === 'open' ? wrap(result as object, isPrivateIn(args)) : result
          }
          if (calls.free) return call()
          return step(
            isPrivate(method, args),
            call,
            calls.failures ? failuresOf(method, args, call, target) : {},
          )
        }
      },
    })
  /** Methods of an open file that other programs do not notice while the machine runs. */
  const isPrivateIn = (opened: unknown[]) => (method: string, args: unknown[]) => {
    if (SYNCS.has(method)) return !calls.power || opened[1] === 'wx'
    return opened[0] === folder || opened[1] === 'wx' || OWN.has(method) || isHeader(method, args)
  }
  // A temporary file that others see in the folder may be removed by them.
  const isSeen = (method: string, args: unknown[]) =>
    method === 'readdir' || (args[1] === 'wx' && calls.temporaries)
  return wrap(
    fs,
    // No file is a link: where it really is does not depend on other programs.
    (method, args) =>
      (['mkdir', 'realpath'].includes(method) || args[0] === folder || args[1] === 'wx') &&
      !isSeen(method, args),
  )
}

const SYNCS = new Set(['sync', 'datasync'])
const OWN = new Set(['close', 'chmod'])
/** Calls whose work may be done although they fail. */
const CHANGES = new Set(['link', 'rename', 'unlink', 'write'])

/** The first line of a file never changes. */
const isHeader = (method: string, [, , length, position]: unknown[]) =>
  method === 'read' && position === 0 && length === 53

const failure = (code: string) => Object.assign(new Error(`${code}: injected`), { code })

function failuresOf(method: string, args: unknown[], call: Call, target: object): Record<string, Call> {
  const code = method === 'open' ? 'EMFILE' : method === 'write' ? 'ENOSPC' : 'EIO'
  const fail = async () => {
    throw failure(code)
  }
  // A file is closed even if the system reports an error.
  if (method === 'close')
    return {
      [code]: async () => {
        await call()
        return fail()
      },
    }
  const late = async () => {
    await call()
    return fail()
  }
  const isChange = CHANGES.has(method) || args[1] === 'wx'
  return { [code]: fail, ...(isChange && { late }), ...(method === 'write' && halves(target, args, fail)) }
}

/** Half of the bytes are written, and the call says so or fails. */
function halves(target: object, [bytes, offset, length]: unknown[], fail: Call): Record<string, Call> {
  const short = () =>
    (target as { write(...args: unknown[]): Promise<unknown> }).write(
      bytes,
      offset,
      Math.floor((length as number) / 2),
      null,
    )
  const torn = async () => {
    await short()
    return fail()
  }
  return { short, torn }
}
