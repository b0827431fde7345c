#!/usr/bin/env node
// `npm run laws`: the laws on far more generated histories than `npm test` has time for, and on others, and the encodings on a
// million texts against their oracle. The seed is printed, so that a failure can be had again; it, the number of cases that
// each property is tried on, and the side can be given:
//   npm run laws -- --seed 7 --cases 10000 --only rust
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { nativeEnv, npmBin } from './lib/project.mjs'
import { duration, main, show } from './lib/run.mjs'

/** Through the built package a history takes longer: its seven properties come to 100,000 together. */
const SIDES = {
  rust: { cases: 100_000, command: ['cargo', 'test', '--release', '--test', 'laws', '--test', 'state'] },
  node: {
    cases: 16_000,
    command: [
      npmBin('vitest'),
      'run',
      '--config=tests/vitest.config.ts',
      '--testTimeout=7200000',
      'tests/node/laws.test.ts',
    ],
  },
  // TRIMTAB_ENCODINGS=o200k_base,cl100k_base leaves the others out.
  encodings: {
    cases: 1_000_000,
    command: [
      ...['cargo', 'test', '--profile', 'encodings', '-p', 'trimtab-encodings', '--test', 'oracle'],
      ...['--', 'encodings_agree_with_the_oracle'],
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
  const names = values.only === undefined ? Object.keys(SIDES) : [values.only]
  for (const name of names) {
    const side = SIDES[name]
    if (!side) throw new Error(`--only must be one of ${Object.keys(SIDES).join(', ')}, not ${name}`)
    const cases = values.cases === undefined ? side.cases : wholeNumber(values.cases, 'cases')
    console.log(`${name}: ${cases.toLocaleString('en')} cases for each property, seed ${seed}`)
    const start = performance.now()
    const env = { ...nativeEnv(), TRIMTAB_SEED: String(seed), TRIMTAB_CASES: String(cases) }
    if (!(await show(side.command, { env }))) process.exitCode = 1
    console.log(`${name}: done in ${duration(performance.now() - start)}`)
  }
})
