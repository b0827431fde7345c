// Saving a session of 5 MB after one more turn, and loading it, compared with a host that keeps its session in one JSON
// text. `npm run bench -- sessions` in the project's root builds and runs this.
//
// Times are wall clock and include waiting for the disk; processor time is independent of the machine's load.
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileStore, loadSession, saveSession } from '../js/dist/entries/sessions.js'
import { drawScript, play } from './history.js'
import { collectGarbage, Times } from './measure.js'
import { columns, verdict } from './report.js'

const BYTES = 5_000_000
const TURNS = 100
const LOADS = 25
/** Messages of a turn: two steps, with a call and its result each. */
const TURN = 4

const SAVE = 'saveSession, one more turn'
const APPEND = 'one append and fdatasync of as many bytes'
const WHOLE = 'JSON.stringify of the whole'
const WRITTEN = 'JSON.stringify of the whole, and a file written'
const LOAD = 'loadSession'
const PARSE = 'JSON.parse of the whole'
const READ = 'a file read, and JSON.parse'

const wall = new Times()
const cpu = new Times()

/** @param work Synchronous or asynchronous function. */
async function measure(name, work) {
  const before = process.cpuUsage()
  await wall.measureAsync(name, async () => work())
  const { user, system } = process.cpuUsage(before)
  cpu.add(name, (user + system) / 1000)
}

/** State that a context of this session would have: a row of numbers for each decision. */
const stateOf = (history) => ({
  version: 1,
  edits: Array.from({ length: history.length >> 2 }, (_, i) => [
    i * 2,
    0,
    i * 7919,
    4000,
    2,
    12,
    i,
    1,
    0,
    0,
    0,
  ]),
})

async function measureSaves(folder, messages, count) {
  const history = messages.slice(0, count)
  const store = fileStore({ fs, folder })
  await saveSession(store, 'session', { history, state: stateOf(history) })
  const plain = await fs.open(join(folder, 'plain'), 'a')
  for (let turn = 0; turn < TURNS; turn++) {
    const more = messages.slice(history.length, history.length + TURN)
    history.push(...more)
    const session = { version: 1, history, state: stateOf(history) }
    await measure(SAVE, () => saveSession(store, 'session', session))
    const appended = JSON.stringify({ messages: more, set: { state: session.state } })
    await measure(APPEND, async () => {
      await plain.write(appended)
      await plain.datasync()
    })
    if (turn % 10 > 0) continue
    await measure(WHOLE, () => JSON.stringify(session))
    await measure(WRITTEN, () =>
      fs.writeFile(join(folder, 'whole'), JSON.stringify(session), { flush: true }),
    )
    await collectGarbage()
  }
  await plain.close()
  return { version: 1, history, state: stateOf(history) }
}

async function measureLoads(folder, session) {
  const text = JSON.stringify(session)
  for (let i = 0; i < LOADS; i++) {
    await collectGarbage()
    await measure(LOAD, async () => {
      const loaded = await loadSession(fileStore({ fs, folder }), 'session')
      if (loaded.session.history.length !== session.history.length) throw new Error('messages are missing')
      return loaded
    })
    await measure(PARSE, () => JSON.parse(text))
    await measure(READ, async () => JSON.parse(await fs.readFile(join(folder, 'whole'), 'utf8')))
  }
}

function row(name, base) {
  const cells = [wall, cpu].flatMap((times) => [
    times.median(name).toFixed(2),
    `${(times.median(name) / times.median(base)).toFixed(2)}x`,
  ])
  return [name, ...cells]
}

const folder = await fs.mkdtemp(join(tmpdir(), 'trimtab-bench-'))
try {
  for (const count of [1000, 4000]) {
    wall.clear()
    cpu.clear()
    const messages = play(drawScript({ count, bytes: BYTES, extra: TURNS * TURN }))
    const own = join(folder, String(count))
    const session = await measureSaves(own, messages, count)
    await measureLoads(own, session)
    const head = (what) => [`${count} messages, 5 MB: ${what}`, 'ms', '/ whole', 'CPU ms', '/ whole']
    console.log(
      `${columns([head('saving'), ...[SAVE, APPEND, WHOLE, WRITTEN].map((name) => row(name, WHOLE))])}\n`,
    )
    console.log(`${columns([head('loading'), ...[LOAD, PARSE, READ].map((name) => row(name, PARSE))])}\n`)
    for (const [name, limit] of [
      [SAVE, 5],
      [LOAD, 60],
    ]) {
      const of = (times) => (part) => times.quantile(name, part)
      console.log(verdict({ what: name, value: of(wall), limit, unit: ' ms' }))
      console.log(verdict({ what: `${name}, processor time`, value: of(cpu), limit, unit: ' ms' }))
    }
    console.log('')
  }
} finally {
  await fs.rm(folder, { recursive: true, force: true })
}
