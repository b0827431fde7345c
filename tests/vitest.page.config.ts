import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The page: its layout functions, and the built page in a headless browser. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['tests/page/**/*.test.ts'],
    testTimeout: 30_000,
    // A second, the default, passes unseen where other suites run beside this one.
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
  },
})
