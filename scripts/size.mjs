#!/usr/bin/env node
// Prints the size of each artifact; exit code 1 if the core is over its limit.
import { main } from './lib/run.mjs'
import { sizeReport } from './lib/sizes.mjs'

await main(async () => {
  const { ok, output } = await sizeReport()
  console.log(output)
  if (!ok) process.exitCode = 1
})
