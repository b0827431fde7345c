// Synthetic histories of a coding agent in OpenAI's chat format: the same for the same size, on every machine.
//
// A history is drawn once as a script (roles, with texts as bytes) and can be played any number of times. Each playing
// creates new objects and new strings, as in a host that has just parsed its session: flat strings, without a computed
// hash.

/** Pseudorandom numbers in [0, 1): mulberry32. */
function randomNumbers(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

const WORDS =
  'session order price total index buffer offset result value item count table cache user report window state'.split(
    ' ',
  )

/** A long text of lines, from which results are cut. */
class Pool {
  #bytes
  #starts = [0]

  constructor(random, line) {
    const lines = Array.from({ length: 20_000 }, () => `${line(random)}\n`)
    this.#bytes = Buffer.from(lines.join(''))
    for (const text of lines) this.#starts.push(this.#starts.at(-1) + Buffer.byteLength(text))
  }

  /** Returns whole lines from a random position, about `size` bytes. */
  piece(random, size) {
    const start = this.#starts[Math.floor(random() * this.#starts.length * 0.5)]
    const end = this.#bytes.indexOf('\n', start + size) + 1
    return this.#bytes.subarray(start, end || this.#bytes.length)
  }
}

const word = (random) => WORDS[Math.floor(random() * WORDS.length)]

function codeLine(random) {
  const indent = '  '.repeat(Math.floor(random() * 5))
  return `${indent}const ${word(random)} = ${word(random)}.${word(random)}(${word(random)}, ${Math.floor(random() * 1000)})`
}

/** Test runners print non-ASCII marks. */
function logLine(random) {
  return random() < 0.1
    ? ` ✓ ${word(random)} of ${word(random)} (${Math.floor(random() * 90)} ms)`
    : `[${Math.floor(random() * 1e6)}] ${word(random)} ${word(random)}: ${word(random)} ${word(random)}`
}

/** The agent's actions: their shares, and the size of their results relative to others. */
const ACTIONS = [
  { share: 0.4, kind: 'read', weight: [2, 14] },
  { share: 0.16, kind: 'edit', weight: [0.08, 0.15] },
  { share: 0.24, kind: 'shell', weight: [0.4, 12] },
  { share: 0.12, kind: 'search', weight: [0.5, 4] },
  { share: 0.08, kind: 'error', weight: [0.1, 0.6] },
]

function drawAction(random) {
  let rest = random()
  const action = ACTIONS.find(({ share }) => {
    rest -= share
    return rest < 0
  })
  const { kind, weight } = action ?? ACTIONS[0]
  return { kind, weight: weight[0] + random() * (weight[1] - weight[0]) }
}

/** Draws the tool, its arguments and the head of its result. The files in use change slowly during the session. */
function drawCall(random, kind, step, pools) {
  const file = Math.floor(step / 20) + Math.floor(random() * 12)
  const path = `${random() < 0.1 ? './' : ''}src/${WORDS[file % WORDS.length]}/module${file}.ts`
  switch (kind) {
    case 'read': {
      const range = random() < 0.4 ? { offset: 1 + Math.floor(random() * 400), limit: 200 } : {}
      return { name: 'read_file', args: { path, ...range }, pool: pools.code, head: '' }
    }
    case 'edit': {
      const old_text = pools.code.piece(random, 200 + random() * 1500).toString()
      const new_text = pools.code.piece(random, 200 + random() * 1500).toString()
      return { name: 'edit', args: { path, old_text, new_text }, pool: pools.code, head: `Edited ${path}\n` }
    }
    case 'search':
      return { name: 'grep', args: { pattern: word(random), path: 'src' }, pool: pools.code, head: '' }
    case 'error':
      return {
        name: 'bash',
        args: { command: `npm run ${word(random)}` },
        pool: pools.log,
        head: 'Error: exit 1\n',
      }
    default:
      return { name: 'bash', args: { command: `npm test -- ${word(random)}` }, pool: pools.log, head: '' }
  }
}

/** Probability that a step ends a turn: the assistant answers, and the user makes the next request. */
const TURN_END = 0.033
/** Probability that a step calls two tools at once. */
const PARALLEL = 0.1

function drawEntries(random, count, pools) {
  const entries = [
    { role: 'system', text: Buffer.from('You are a coding agent.') },
    { role: 'user', text: Buffer.from('Make the report faster.') },
  ]
  for (let step = 1; entries.length < count; step++) {
    if (random() < TURN_END) {
      entries.push({ role: 'assistant', text: pools.code.piece(random, 400) })
      entries.push({
        role: 'user',
        text: Buffer.from(`Now look at the ${word(random)} of the ${word(random)}.`),
      })
      continue
    }
    const actions = random() < PARALLEL ? [drawAction(random), drawAction(random)] : [drawAction(random)]
    const calls = actions.map(({ kind }, i) => ({
      id: Buffer.from(`call_${step}_${i}`),
      ...drawCall(random, kind, step, pools),
    }))
    const drawn = calls.map(({ id, name, args }) => ({ id, name, args: Buffer.from(JSON.stringify(args)) }))
    entries.push({ role: 'assistant', text: Buffer.from(`I look at the ${word(random)}.`), calls: drawn })
    for (const [i, { id, pool, head }] of calls.entries()) {
      entries.push({ role: 'tool', id, pool, head, weight: actions[i].weight })
    }
  }
  return entries
}

const sizeOf = ({ text, calls = [] }) =>
  (text?.length ?? 0) + calls.reduce((sum, { args }) => sum + args.length, 0)

/**
 * Draws a history of at least `count` messages, of which the first `count` contain `bytes` bytes of text.
 *
 * @param {{ count: number, bytes: number, extra?: number }} size `extra` messages follow, to be appended one by one.
 */
export function drawScript({ count, bytes, extra = 0 }) {
  const random = randomNumbers(0x7ab)
  const pools = { code: new Pool(random, codeLine), log: new Pool(random, logLine) }
  const entries = drawEntries(random, count + extra, pools)
  const within = entries.slice(0, count)
  const fixed = within.reduce((sum, entry) => sum + sizeOf(entry), 0)
  const weights = within.reduce((sum, { weight = 0 }) => sum + weight, 0)
  const scale = (bytes - fixed) / weights
  return entries.map((entry) => {
    if (entry.role !== 'tool') return entry
    const { role, id, pool, head, weight } = entry
    return { role, id, text: Buffer.concat([Buffer.from(head), pool.piece(random, weight * scale)]) }
  })
}

/** Total bytes of a script's texts. */
export const scriptBytes = (script) => script.reduce((sum, entry) => sum + sizeOf(entry), 0)

/** Creates new objects with new strings for one entry of a script. */
function playEntry({ role, text, calls, id }) {
  const content = text.toString()
  if (role === 'tool') return { role, tool_call_id: id.toString(), content }
  if (calls === undefined) return { role, content }
  const tool_calls = calls.map((call) => ({
    id: call.id.toString(),
    type: 'function',
    function: { name: call.name, arguments: call.args.toString() },
  }))
  return { role, content, tool_calls }
}

/** Creates a script's history, with new objects and new strings. */
export const play = (script) => script.map(playEntry)
