#!/usr/bin/env node
// `npm run laws`: runs the property tests of `npm test` with many more and other cases: the laws on generated
// histories, edits against byte models, processes killed while they write, schedules of writers, sessions shared through
// Redis, the encodings against their oracle. Prints the seed, so that a failure can be reproduced. Options for the seed,
// the number of cases, and the part:
// npm run laws -- --seed 7 --cases 10000 --only rust
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { nativeEnv, npmBin } from './lib/project.mjs'
import { duration, main, show } from './lib/run.mjs'

/** Modules of a test program. */
const cargo = (program, ...modules) => [
  ...['cargo', 'test', '--profile', 'laws', '--test', program, '--'],
  ...modules.map((name) => `${name}::`),
]
const vitest = (...files) => [
  npmBin('vitest'),
  'run',
  '--config=tests/vitest.config.ts',
  '--testTimeout=7200000',
  ...files,
]

/** Through the built package a history takes longer: its seven properties have about 100,000 cases together. */
const PARTS = {
  rust: { cases: 100_000, of: 'histories for each property', command: cargo('histories', 'laws', 'state') },
  // A provider defined by the tests that binds reasoning, and the ledger of what was sent.
  binding: { cases: 100_000, of: 'histories for each property', command: cargo('histories', 'binding') },
  node: { cases: 16_000, of: 'histories for each property', command: vitest('tests/node/laws.test.ts') },
  edits: { cases: 100_000, of: 'edits for each property', command: cargo('texts', 'editing') },
  'tool-edits': {
    cases: 10_000,
    of: 'files with ten edits each',
    command: vitest('tests/node/editing.test.ts', 'tests/tools/edits.test.ts'),
  },
  reading: {
    cases: 100_000,
    of: 'files, each read to its end by what the answers say',
    command: vitest('tests/reading/budget.test.ts', 'tests/reading/folder.test.ts'),
  },
  kills: { cases: 1000, of: 'kills for each of two programs', command: vitest('tests/crash/kill.test.ts') },
  schedules: {
    cases: 2000,
    of: 'schedules of each of 40 groups of writers',
    command: vitest('tests/sessions/schedules', '--testNamePattern=in a sample'),
  },
  redis: { cases: 10_000, of: 'messages of two processes', command: vitest('tests/sessions/redis.test.ts') },
  outlines: {
    cases: 20_000,
    of: 'outlines, of which 1 in 20 of each language is of a cut file',
    command: vitest('tests/node/outline.test.ts', 'tests/node/outline-corpus.test.ts'),
  },
  // TRIMTAB_ENCODINGS=o200k_base,cl100k_base runs only these.
  encodings: {
    cases: 1_000_000,
    of: 'texts for each encoding',
    command: [
      ...['cargo', 'test', '--profile', 'encodings', '-p', 'trimtab-encodings', '--test', 'oracle'],
      // Prints the number of texts compared for each encoding.
      ...['--', '--nocapture', 'encodings_agree_with_the_oracle'],
    ],
  },
}

function wholeNumber(text, name) {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= 0) return number
  throw new Error(`--${name} must be a whole number, not ${text}`)
}

await main(async () => {
  const text = { type: 'string' }
  const { values } = parseArgs({ options: { seed: text, cases: text, only: text } })
  const seed = values.seed === undefined ? randomInt(2 ** 31) : wholeNumber(values.seed, 'seed')
  const names = values.only === undefined ? Object.keys(PARTS) : [values.only]
  for (const name of names) {
    const part = PARTS[name]
    if (!part) throw new Error(`--only must be one of ${Object.keys(PARTS).join(', ')}, not ${name}`)
    const cases = values.cases === undefined ? part.cases : wholeNumber(values.cases, 'cases')
    console.log(`${name}: ${cases.toLocaleString('en')} ${part.of}, seed ${seed}`)
    const start = performance.now()
    const env = { ...nativeEnv(), TRIMTAB_SEED: String(seed), TRIMTAB_CASES: String(cases) }
    if (!(await show(part.command, { env }))) process.exitCode = 1
    console.log(`${name}: done in ${duration(performance.now() - start)}`)
  }
})
