// Runs programs that list definitions.
import { spawnSync } from 'node:child_process'

/** Returns the output of a program; `undefined` if it fails or is not installed. */
export function output([program, ...options], input) {
  const { status, stdout } = spawnSync(program, options, { encoding: 'utf8', input, maxBuffer: 1e9 })
  return status === 0 ? stdout : undefined
}

/** An oracle that uses one process for all files: takes their paths, and prints a line of JSON for each. */
export const byProgram = (command) => (files) => {
  const lines = output(command(), files.map(({ path }) => `${path}\n`).join(''))
  if (lines === undefined) return undefined
  const answers = lines.trimEnd().split('\n')
  return files.map((_, index) => JSON.parse(answers[index] ?? 'null') ?? undefined)
}
