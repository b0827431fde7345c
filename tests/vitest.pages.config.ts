import { defineConfig } from 'vitest/config'

/** `npm run hosts`: the packed package in hosts that take minutes, which tests/hosts/pages/package.json names. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['tests/hosts/pages/*.test.ts'],
    globalSetup: ['tests/hosts/pages/install.ts'],
    testTimeout: 120_000,
    hookTimeout: 600_000,
  },
})
