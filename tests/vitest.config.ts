import { defineConfig } from 'vitest/config'

/** Tests in Node, against the built package: they import `trimtab` by the package's own name. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/hosts/**', 'tests/page/**'],
    testTimeout: 120_000,
    // Packing takes seconds, with twenty grammars and six vocabularies, and more beside other work.
    hookTimeout: 120_000,
    // Two cores: the packaging tests start browsers of their own.
    maxWorkers: 2,
  },
})
