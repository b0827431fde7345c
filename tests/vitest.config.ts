import { defineConfig } from 'vitest/config'

/**
 * Files that each get a process of their own: they count steps or memory, replace globals, or look at what has not been loaded yet.
 * All others share the processes they run in, and with them what they import, which takes a quarter less time.
 */
const ALONE = [
  'tests/growth/**/*.test.ts',
  ...[
    'binding',
    'context-tokens',
    'encodings',
    'hostile',
    'in-place',
    'memory',
    'notice',
    'options',
    'outline',
    'outline-corpus',
    'wasm-sources',
    'workerd',
    'wrong-input',
    'wrong-input-files',
  ].map((name) => `tests/node/${name}.test.ts`),
]
const ELSEWHERE = ['tests/hosts/**', 'tests/page/**']

/** Tests in Node, against the built package: they import `trimtab` by the package's own name. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    testTimeout: 120_000,
    // Packing takes seconds, with twenty grammars and six vocabularies, and more beside other work.
    hookTimeout: 120_000,
    // Two cores: the packaging tests start browsers of their own.
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'alone', include: ALONE } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['tests/**/*.test.ts'],
          exclude: [...ELSEWHERE, ...ALONE],
          isolate: false,
        },
      },
    ],
  },
})
