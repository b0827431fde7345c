// Results of each mutant, stored in a file: a run can be stopped and resumed, and repeats only what may have another
// result by now.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder } from './mutant-build.mjs'
import { fileOf } from './mutant-tests.mjs'
import { at } from './project.mjs'

const PATH = join(folder, 'results.json')

const digest = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16)

function rustFiles(path) {
  const entries = readdirSync(at(path), { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.rs'))
  return files.map((entry) => join(entry.parentPath, entry.name).slice(at().length + 1)).sort()
}

/**
 * Results stay valid while the file of the mutant and the tests behind the result are unchanged: one test if it noticed
 * the mutant, all tests if none did. Effects of other files are ignored: `--fresh` discards all results.
 */
export class Results {
  #known = {}
  /** Files as they are at the start: they may change while tests run. */
  #digests = new Map()
  #all
  #support

  constructor(fresh) {
    this.#all = rustFiles('tests')
    this.#support = rustFiles(join('tests', 'support'))
    for (const path of [...this.#all, ...rustFiles('src')])
      this.#digests.set(path, digest(readFileSync(at(path), 'utf8')))
    if (fresh) rmSync(PATH, { force: true })
    try {
      this.#known = JSON.parse(readFileSync(PATH, 'utf8'))
    } catch {
      // Nothing is known yet.
    }
  }

  /** Digest of the files that a result depends on. */
  #restsOn(mutant, answer) {
    const tests = answer.by?.name ? [fileOf(answer.by), ...this.#support] : this.#all
    const files = answer.compiles === false ? [mutant.file] : [mutant.file, ...tests]
    return digest(files.map((file) => this.#digests.get(file)).join())
  }

  /**
   * Returns `{ compiles: false }`, or `{ by }` with the test that noticed it, if any; `undefined` if it must be tested.
   */
  of(mutant) {
    const answer = this.#known[mutant.name]
    return answer && answer.digest === this.#restsOn(mutant, answer) ? answer : undefined
  }

  set(mutant, answer) {
    this.#known[mutant.name] = { ...answer, digest: this.#restsOn(mutant, answer) }
  }

  save() {
    mkdirSync(folder, { recursive: true })
    writeFileSync(PATH, JSON.stringify(this.#known, null, 1))
  }
}
