import { defineConfig } from 'vitest/config'

/** The packed package in hosts of the registry, which tests/hosts/package.json names. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['tests/hosts/*.test.ts'],
    globalSetup: ['tests/hosts/install.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
})
