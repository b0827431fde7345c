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

/** A project outside of the repository with the package installed as npm would publish it. */
export interface Consumer {
  /** Folder of the project: the files of `tests/fixtures/consumers`, and `node_modules/trimtab`. */
  folder: string
  /** Folder of the installed package. */
  installed: string
  /** Path of the packed file. */
  packed: string
  /** Runs a script with this Node and returns its output. */
  node(...args: string[]): Promise<string>
  remove(): void
}

/** Packed once for all test files of a process: that takes as long as their tests. */
let tarball: Promise<Tarball> | undefined

interface Tarball {
  name: string
  bytes: Uint8Array
}

async function pack(): Promise<Tarball> {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-packed-'))
  try {
    const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
    const [{ filename }] = JSON.parse(await run('npm', words, PROJECT)) as [{ filename: string }]
    return { name: filename, bytes: readFileSync(join(folder, filename)) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Packs the package and unpacks it where Node resolves it. It has no dependencies to install. */
export async function makeConsumer(): Promise<Consumer> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-consumer-')))
  const installed = join(folder, 'node_modules', 'trimtab')
  mkdirSync(installed, { recursive: true })
  tarball ??= pack()
  const { name, bytes } = await tarball
  const packed = join(folder, name)
  writeFileSync(packed, bytes)
  await run('tar', ['-xzf', packed, '-C', installed, '--strip-components=1'], folder)
  cpSync(CONSUMERS, folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n')
  return {
    folder,
    installed,
    packed,
    node: (...args) => run(process.execPath, args, folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const execute = promisify(execFile)

/** Runs a command; if it fails, the error contains all its output. */
export async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  timeout = 60_000,
): Promise<string> {
  // The test runner's options for Node must not reach the consumer.
  const { NODE_OPTIONS: _, ...env } = process.env
  try {
    const { stdout } = await execute(command, args, { cwd, env, timeout, maxBuffer: 64 << 20 })
    return stdout
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string }
    // Not passed as `cause`, because the test runner would print it all again.
    throw new Error([message, stdout, stderr].join('\n').trim())
  }
}

/** All files below a folder, relative to it. */
export function filesBelow(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path))
  return paths.filter((path) => statSync(path).isFile()).map((path) => relative(folder, path))
}

export function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}
