// Programs that are asked for definitions.
import { spawnSync } from 'node:child_process'

/** What a program prints; nothing where it fails or is not there. */
export function output([program, ...options], input) {
  const { status, stdout } = spawnSync(program, options, { encoding: 'utf8', input, maxBuffer: 1e9 })
  return status === 0 ? stdout : undefined
}

/** An oracle that asks one process for all files: their paths go in, and a line of JSON comes out for each. */
export const byProgram = (command) => (files) => {
  const lines = output(command(), files.map(({ path }) => `${path}\n`).join(''))
  if (lines === undefined) return undefined
  const answers = lines.trimEnd().split('\n')
  return files.map((_, index) => JSON.parse(answers[index] ?? 'null') ?? undefined)
}
