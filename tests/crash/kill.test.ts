// A process is killed at random moments while it writes: every file is complete, either the old or the new
// version.
import { spawn } from 'node:child_process'
import * as fs from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { fileStore, loadSession } from 'trimtab/sessions'
import { expect, test } from 'vitest'
import { scratchFolder } from '../workspace/folder.js'
import { stateOf, turn } from './turn.mjs'
import { versionText } from './version-text.mjs'

/** Number of kills; `npm run laws -- --only kills` makes 1,000. Each takes a tenth of a second or more. */
const KILLS = Math.min(Number(process.env.TRIMTAB_CASES ?? 20), 1000)

/**
 * Delays in milliseconds before the kills, from a seed, so that runs are as repeatable as the machine allows.
 */
function* delays(): Generator<number> {
  for (let state = Number(process.env.TRIMTAB_SEED ?? 1); ; ) {
    state = (state * 1103515245 + 12345) % 2 ** 31
    yield (state / 2 ** 31) * 40
  }
}
const delay = delays()

/** Runs a script, kills it some time after its first write, and returns the last number that it printed. */
async function killed(script: string, ...args: string[]): Promise<number> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  let timer: NodeJS.Timeout | undefined
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (numbersOf(said).length > 0) {
      timer ??= setTimeout(() => child.kill('SIGKILL'), delay.next().value as number)
    }
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  clearTimeout(timer)
  if (code !== null) throw new Error(`${script} ended by itself, with ${code}`)
  return Number(numbersOf(said).at(-1))
}

/** The complete lines of the output, except the first, `ready`. */
const numbersOf = (said: string): string[] => said.split('\n').slice(1, -1)

test(`a file has its old or new content after each of ${KILLS} kills`, {
  timeout: 7_200_000,
}, async () => {
  const root = scratchFolder()
  await fs.writeFile(`${root}/file.txt`, versionText(0))
  let last = 0
  for (let i = 0; i < KILLS; i++) {
    const said = await killed('write-file.mjs', root, String(last))
    const text = await fs.readFile(`${root}/file.txt`, 'utf8')
    const number = Number.parseInt(text, 10)
    expect([said, said + 1]).toContain(number)
    expect(text === versionText(number), `version ${number} is whole`).toBe(true)
    last = number
  }
  const left = (await fs.readdir(root)).filter((name) => name.endsWith('.trimtab-tmp')).length
  console.log(`files: ${KILLS} kills, ${last} versions, ${left} kills in the middle of a write, 0 unreadable`)
  expect(last).toBeGreaterThanOrEqual(KILLS)
})

test(`a session keeps all saved turns after each of ${KILLS} kills`, { timeout: 7_200_000 }, async () => {
  const folder = scratchFolder()
  let last = 0
  let torn = 0
  for (let i = 0; i < KILLS; i++) {
    const said = await killed('save-session.mjs', folder)
    const loaded = await loadSession(fileStore({ fs, folder }), 'session')
    if (loaded === undefined) throw new Error(`the session is gone after turn ${said}`)
    const number = (loaded.session.state as { turn: number }).turn
    expect([said, said + 1]).toContain(number)
    expect(loaded.session.state).toEqual(stateOf(number))
    const turns = loaded.session.history.length / 2
    expect(loaded.session.history).toEqual(
      Array.from({ length: turns }, (_, t) => turn(number - turns + 1 + t)).flat(),
    )
    expect(loaded.merged).toBe(0)
    if (loaded.repairs.length > 0) torn++
    last = number
  }
  const left = (await fs.readdir(folder)).filter((name) => name.endsWith('.trimtab-tmp')).length
  console.log(
    `sessions: ${KILLS} kills, ${last} saves, ${left} while a file was written anew, ${torn} with half an entry, 0 unreadable`,
  )
  expect(last).toBeGreaterThanOrEqual(KILLS)
})
