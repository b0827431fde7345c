#!/usr/bin/env node
// `npm run hosts`: tests the packed package in hosts that take minutes (Next.js, bundled pages in Chromium, the
// programs that plugins are for). Hosts that take seconds are part of `npm test`.
import { chromium } from './lib/browser.mjs'
import { at, npmBin } from './lib/project.mjs'
import { main, show } from './lib/run.mjs'

await main(async () => {
  const isBuilt = await show([process.execPath, at('scripts', 'build.mjs')])
  if (!isBuilt) throw new Error('the package cannot be built, see above')
  const command = [npmBin('vitest'), 'run', '--config', 'tests/vitest.pages.config.ts']
  if (!(await show(command, { env: { ...process.env, CHROMIUM: chromium() } }))) process.exitCode = 1
})
