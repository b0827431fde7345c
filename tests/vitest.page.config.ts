import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Tests of the page: its layout functions, and the built page in a headless browser. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['tests/page/**/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 120_000,
    // The default of one second is too short while other suites run.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 300_000,
  },
})
