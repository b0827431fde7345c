import { defineConfig } from 'vitest/config'

/**
 * `npm run hosts`: tests of the packed package in hosts that take minutes, listed in tests/hosts/pages and
 * tests/hosts/programs.
 */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['tests/hosts/{pages,programs}/*.test.ts'],
    globalSetup: ['tests/hosts/pages/install.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
