import { defineConfig } from 'vitest/config'
import { countingJs } from './growth/counting-js.js'

/**
 * Files that each run in their own process: they count memory, replace globals, check what is not loaded yet, or use up
 * the arguments of each other's calls (a stream can be read once). The files of `shared` share worker processes and the
 * modules loaded in them, which takes a quarter less time.
 */
const ALONE = [
  'binding',
  'context-tokens',
  'encodings',
  'hostile',
  'hostile-access',
  'hostile-frameworks',
  'hostile-methods',
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
].map((name) => `tests/node/${name}.test.ts`)
/** Files that count how often each statement of the package runs, each in its own process too. */
const GROWTH = ['tests/growth/**/*.test.ts']
const ELSEWHERE = ['tests/hosts/**', 'tests/page/**']
/** Packages, and what tests made and an interrupted run left. `exclude` replaces the runner's own list. */
const NONE = ['**/node_modules/**', '**/.work/**']

/** Tests in Node against the built package, which they import as `trimtab`. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    // Detects hangs, not slowness: a busy machine takes ten times as long.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // Two workers: the packaging tests also start browsers.
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'alone', include: ALONE, exclude: NONE } },
      { extends: true, plugins: [countingJs()], test: { name: 'growth', include: GROWTH, exclude: NONE } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['tests/**/*.test.ts'],
          exclude: [...NONE, ...ELSEWHERE, ...GROWTH, ...ALONE],
          isolate: false,
        },
      },
    ],
  },
})
