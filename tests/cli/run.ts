import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const program = fileURLToPath(new URL('../../js/dist/cli/main.js', import.meta.url))

export interface Ran {
  status: number | null
  stdout: string
  stderr: string
}

/** Runs the built command line in a process. */
export function trimtab(args: readonly string[], options: { input?: string; cwd?: string } = {}): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    ...options,
  })
  return { status, stdout, stderr }
}
