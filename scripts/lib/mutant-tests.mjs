// Selects the tests to run for a mutant: only those that call its function, the fastest first.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { copy, env, folder } from './mutant-build.mjs'
import { at } from './project.mjs'
import { capture } from './run.mjs'

/** Cases of each property: a mutant that survives this many is not noticed. */
const CASES = '40'
/** Tests that take fewer milliseconds run in one process. */
const QUICK = 50
/**
 * A mutant may make a test run or allocate without end. Its limits: ten times the usual processor time, at least two
 * seconds, and a number of KiB. The time is that of the process, independent of the machine's load.
 */
const PATIENCE = 10
const LEAST_SECONDS = 2
const MEMORY = 2_000_000
/** The number of no mutant: measures the effect of the switching alone. */
const NONE = 4_000_000_000

const options = (more) => ({
  cwd: copy,
  minutes: 20,
  // A failing case is not shrunk: nobody reads it.
  env: { ...env, TRIMTAB_CASES: CASES, PROPTEST_MAX_SHRINK_ITERS: '0', ...more },
})

/** Returns all tests of these programs, with their milliseconds and the functions that they call. */
export async function testsOf(programs) {
  const tests = []
  for (const [program, path] of programs) {
    const reached = join(folder, 'reached.txt')
    rmSync(reached, { force: true })
    const { code, output } = await capture(
      [path, '--test-threads', '2'],
      options({ TRIMTAB_REACHED: reached }),
    )
    if (code !== 0) throw new Error(`${program} fails without any change\n${output}`)
    const lines = existsSync(reached) ? readFileSync(reached, 'utf8').split('\n') : []
    for (const line of lines.filter((line) => line !== '')) {
      const [name, milliseconds, functions] = line.split('\t')
      const called = new Set(functions.split(',').map(Number))
      tests.push({ program, path, name, milliseconds: Number(milliseconds), called })
    }
    if (
      (await asked(
        tests.filter((test) => test.program === program),
        NONE,
      )) !== undefined
    )
      throw new Error(`${program} fails without any change`)
  }
  return tests
}

/** Returns the test of one program that notices a mutant; `''` if the process was killed, `undefined` if none does. */
async function asked(tests, number) {
  if (tests.length === 0) return undefined
  const usual = tests.reduce((sum, test) => sum + test.milliseconds, 0) / 1000
  const seconds = Math.max(LEAST_SECONDS, Math.ceil(PATIENCE * usual))
  const limited = `ulimit -v ${MEMORY}; ulimit -t ${seconds}; exec "$0" "$@"`
  const names = tests.map((test) => test.name)
  const command = ['sh', '-c', limited, tests[0].path, '--quiet', '--test-threads', '2', '--exact', ...names]
  const { code, output } = await capture(command, options({ TRIMTAB_MUTANT: String(number) }))
  return code === 0 ? undefined : (/noticed by (\S+)/.exec(output)?.[1] ?? '')
}

/** Groups the tests that call a mutant's function, in the order in which they run: each group in one process. */
export function groups(tests, mutant, first) {
  const own = tests
    .filter((test) => test.called.has(mutant.called))
    .sort((a, b) => a.milliseconds - b.milliseconds)
  const quick = new Map()
  const slow = []
  for (const test of own) {
    if (test.milliseconds >= QUICK) slow.push([test])
    else quick.set(test.program, [...(quick.get(test.program) ?? []), test])
  }
  const before = own.filter((test) => test === first).map((test) => [test])
  return [...before, ...quick.values(), ...slow]
}

/** Tests mutants one at a time; the test that noticed a function's last mutant runs first for the next one. */
export class Asker {
  #tests
  #last = new Map()

  constructor(tests) {
    this.#tests = tests
  }

  /**
   * Returns the test that notices a mutant: `{ program, name }`, with an empty name if the mutant does not end; or
   * `undefined`.
   */
  async noticedBy(mutant) {
    for (const group of groups(this.#tests, mutant, this.#last.get(mutant.called))) {
      const name = await asked(group, mutant.number)
      if (name === undefined) continue
      const test = group.find((one) => one.name === name)
      if (test) this.#last.set(mutant.called, test)
      return { program: group[0].program, name }
    }
    return undefined
  }
}

/** Returns the file that contains a test. */
export function fileOf({ program, name }) {
  const [folder, root] = program === 'trimtab' ? ['src', 'lib.rs'] : ['tests', `${program}.rs`]
  const modules = name.split('::')
  for (let length = modules.length; length > 0; length--) {
    const path = join(folder, ...modules.slice(0, length))
    for (const file of [`${path}.rs`, join(path, 'mod.rs')]) if (existsSync(at(file))) return file
  }
  return join(folder, root)
}
