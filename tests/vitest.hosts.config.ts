import { defineConfig } from 'vitest/config'

/** Tests of the packed package in the hosts listed in tests/hosts/{packages,plugins}/package.json. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['tests/hosts/*.test.ts'],
    globalSetup: ['tests/hosts/install.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 2,
  },
})
