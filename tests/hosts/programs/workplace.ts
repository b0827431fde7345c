// Runs unmodified programs without a terminal: provides a folder with files, and checks the requests that the
// provider received.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import {
  type Account,
  fileText,
  Provider,
  RECALL_STEP,
  STEPS,
  type Tools,
} from '../../frameworks/provider.js'

export const THREAD = 'thread-one'
export const PROMPT = `${THREAD}: read all files`
export const NODE_22 = fileURLToPath(new URL('../packages/node_modules/node-22/bin/node', import.meta.url))

/** Path of a file in the programs' packages. */
export const program = (path: string) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url))

/** Policy of a plugin's file, as source text: it clears more than once in 60 steps. */
export const POLICY = `{
  ...clearOldToolUses({
    trigger: { type: 'input_tokens', value: 30_000 },
    keep: { type: 'tool_uses', value: 6 },
    clearAtLeast: { type: 'input_tokens', value: 8000 },
  }),
  recall: true,
}`

/** A file of twenty thousand characters, which no program truncates. */
export const longText = (thread: string, path: string) =>
  ['a', 'b', 'c', 'd', 'e'].map((part) => fileText(thread, `${path}/${part}`)).join('')

/** A folder with the files that the model reads, a separate home directory, and a provider. */
export class Workplace implements AsyncDisposable {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-program-')))
  readonly #text: typeof fileText
  readonly provider: Provider

  /** @param tools The model's call to read a file, and its name of the recall tool. */
  constructor(tools: Tools, text = fileText) {
    this.#text = text
    this.provider = new Provider({ ...tools, read: (path) => tools.read(this.at(path)) })
    for (let step = 0; step < STEPS; step++)
      for (const path of [`src/${step}.ts`, `lib/${step}.ts`]) this.write(path, text(THREAD, path))
  }

  at(path: string): string {
    return join(this.folder, path)
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.at(path)), { recursive: true })
    writeFileSync(this.at(path), text)
  }

  /** Copies the installed package, and links packages of the program, where a file in `folder` resolves them. */
  install(installed: string, folder: string, packages: readonly string[]): void {
    cpSync(installed, this.at(join(folder, 'node_modules/trimtab')), { recursive: true })
    this.link(folder, packages)
  }

  /** Links packages of the program where a file in `folder` resolves them. */
  link(folder: string, packages: readonly string[]): void {
    const modules = this.at(join(folder, 'node_modules'))
    for (const name of packages) {
      mkdirSync(dirname(join(modules, name)), { recursive: true })
      symlinkSync(program(name), join(modules, name))
    }
  }

  /** Runs a program in the folder and returns its output. */
  run(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
    const child = spawn(command, args, {
      cwd: this.folder,
      env: { PATH: process.env.PATH, HOME: this.at('.home'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const printed = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        printed[name] += text
      })
    return new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code) => {
        if (code === 0) resolve(printed.stdout)
        else reject(new Error(`${command} ended with ${code}:\n${printed.stdout}\n${printed.stderr}`))
      })
    })
  }

  /**
   * Checks that nothing was refused, the model went through all its steps, the recalled result is the file's
   * text, and requests stayed short.
   *
   * @param rewrites Maximum number of requests that changed what had been sent.
   */
  expectTrimmed(rewrites: number): void {
    const { refused, accounts, results } = this.provider
    expect(refused).toEqual([])
    const account = accounts.get(THREAD) as Account
    expect(account.requests).toBe(STEPS + 1)
    expect(account.sent.filter((text) => /recall [0-9a-f]{8}/.test(text)).length).toBeGreaterThan(20)
    expect(account.rewrites).toBeLessThanOrEqual(rewrites)
    const recalled = results.get(`${THREAD}_r`) ?? ''
    const path = /(?:src|lib)\/\d+\.ts/.exec(recalled)?.[0] ?? ''
    expect(Number(/\d+/.exec(path)?.[0])).toBeLessThanOrEqual(RECALL_STEP - 30)
    this.#expectWhole(recalled, path)
  }

  /** Checks that the stored session has the whole text of every file that was read. */
  expectStored(session: string): void {
    for (let step = 0; step < STEPS; step++)
      if (step !== RECALL_STEP) this.#expectWhole(session, `src/${step}.ts`)
  }

  #expectWhole(text: string, path: string): void {
    const lines = this.#text(THREAD, path).trimEnd().split('\n')
    expect(lines.filter((line) => !text.includes(line))).toEqual([])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.provider[Symbol.asyncDispose]()
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Makes a workplace and starts its provider. */
export async function workplace(tools: Tools, text = fileText): Promise<Workplace> {
  const place = new Workplace(tools, text)
  await place.provider.start()
  return place
}
