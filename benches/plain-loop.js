// The decisions of trimtab's rolling context as an agent's author would write them: one plain loop over the messages,
// without WebAssembly. It parses a call's arguments once, keeps the edited messages, and computes the rest at every
// call.
//
// Features that cost time and do not occur in the benchmark's histories are left out: other formats, ephemeral results,
// excluded tools, long paths, and detecting messages changed in place.

const READS = new Set(['read', 'read_file', 'view'])
const EDITS = new Set(['edit', 'edit_file', 'write', 'write_file'])
const ERROR_START = /^\s*(?:error[: ]|fatal:|traceback \(most recent call last\)|failed to |<error)/i

/** @type {WeakMap<object, { tool: string, path: string | undefined, what: string, reads: boolean, edits: boolean }>} */
const callFacts = new WeakMap()
/** @type {WeakMap<object, { isError: boolean, edited: object | null | undefined }>} */
const resultFacts = new WeakMap()

function parse(json) {
  try {
    return JSON.parse(json) ?? {}
  } catch {
    return {}
  }
}

const normalPath = (path) =>
  path
    .trim()
    .replace(/^(?:\.\/+)+/, '')
    .replaceAll(/\/+/g, '/')

function linesOf({ offset, limit }) {
  if (offset === undefined && limit === undefined) return ''
  const first = offset ?? 1
  return `:${first}-${limit === undefined ? '' : first + limit - 1}`
}

function factsOfCall(call) {
  let facts = callFacts.get(call)
  if (facts === undefined) {
    const tool = call.function.name
    const args = parse(call.function.arguments)
    const path = typeof args.path === 'string' ? normalPath(args.path) : undefined
    const what = path === undefined ? `${tool} output` : path + linesOf(args)
    facts = { tool, path, what, reads: READS.has(tool), edits: EDITS.has(tool) }
    callFacts.set(call, facts)
  }
  return facts
}

function factsOfResult(message) {
  let facts = resultFacts.get(message)
  if (facts === undefined) {
    facts = { isError: ERROR_START.test(message.content), edited: undefined }
    resultFacts.set(message, facts)
  }
  return facts
}

/** Returns the message with its content cleared; `null` if that is not worth it. */
function clear(message, { what }) {
  const { content } = message
  const stub = `[cleared ${what}, ${content.length} chars; re-run if needed]`
  // A text has at least as many bytes as UTF-16 units, so most need not be counted.
  const isWorth =
    content.length >= 2 * stub.length || Buffer.byteLength(content) >= 2 * Buffer.byteLength(stub)
  return isWorth ? { ...message, content: stub } : null
}

/**
 * Clears tool results older than `maxToolOutputAge` steps, except failures, results of files in use (with
 * `preserveRecentFiles`), and the newest read of each edited file.
 */
export function plainLoop(messages, { maxToolOutputAge = 5, preserveRecentFiles = true } = {}) {
  const calls = new Map()
  const lastAccess = new Map()
  const newestRead = new Map()
  const edited = new Set()
  const results = []
  let step = 0
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i]
    if (message.role === 'assistant') {
      step++
      if (message.tool_calls === undefined) continue
      for (const call of message.tool_calls) {
        const facts = factsOfCall(call)
        calls.set(call.id, { facts, step })
        if (preserveRecentFiles && (facts.reads || facts.edits)) lastAccess.set(facts.path, step)
      }
    } else if (message.role === 'tool') {
      const call = calls.get(message.tool_call_id)
      if (call === undefined) continue
      const result = factsOfResult(message)
      if (result.isError) continue
      const { facts } = call
      if (facts.reads) newestRead.set(facts.path, i)
      else if (facts.edits) edited.add(facts.path)
      results.push({ index: i, call, result })
    }
  }
  const view = messages.slice()
  for (const { index, call, result } of results) {
    if (call.step >= step - maxToolOutputAge) break
    const { path } = call.facts
    if (path !== undefined) {
      if (preserveRecentFiles && step - lastAccess.get(path) <= maxToolOutputAge) continue
      if (newestRead.get(path) === index && edited.has(path)) continue
    }
    if (result.edited === undefined) result.edited = clear(messages[index], call.facts)
    if (result.edited !== null) view[index] = result.edited
  }
  return view
}
