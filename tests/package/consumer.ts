import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const CONSUMERS = join(PROJECT, 'tests', 'fixtures', 'consumers')

/** A project outside of this one that has installed the package, as npm would publish it now. */
export interface Consumer {
  /** Its folder: the files of `tests/fixtures/consumers`, and `node_modules/trimtab`. */
  folder: string
  /** The installed package. */
  installed: string
  /** The packed file. */
  packed: string
  /** Runs a script with this Node and returns what it printed. */
  node(...args: string[]): Promise<string>
  remove(): void
}

/** Packs the package and unpacks it where Node looks for it. There is nothing else to install: it has no dependencies. */
export async function makeConsumer(): Promise<Consumer> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-consumer-')))
  const installed = join(folder, 'node_modules', 'trimtab')
  mkdirSync(installed, { recursive: true })
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const [packed] = JSON.parse(await run('npm', pack, PROJECT)) as [{ filename: string }]
  await run('tar', ['-xzf', join(folder, packed.filename), '-C', installed, '--strip-components=1'], folder)
  cpSync(CONSUMERS, folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n')
  return {
    folder,
    installed,
    packed: join(folder, packed.filename),
    node: (...args) => run(process.execPath, args, folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const execute = promisify(execFile)

/** Runs a command to its end; all its output is in the error where it fails. */
export async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  timeout = 60_000,
): Promise<string> {
  // Options of the test runner for its own Node must not reach the consumer's.
  const { NODE_OPTIONS: _, ...env } = process.env
  try {
    const { stdout } = await execute(command, args, { cwd, env, timeout, maxBuffer: 64 << 20 })
    return stdout
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string }
    // Not as the cause: the test runner would print all of it again.
    throw new Error([message, stdout, stderr].join('\n').trim())
  }
}

/** Every file below a folder, relative to it. */
export function filesBelow(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path))
  return paths.filter((path) => statSync(path).isFile()).map((path) => relative(folder, path))
}

export function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}
