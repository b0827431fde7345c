import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/**
 * `npm run screenshots`: pictures of each state of the chat for docs/guides/browser-chat.md, and of the viewer for
 * www/README.md. Not part of `npm test`.
 */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['tests/screenshots/**/*.shots.ts'],
    testTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 60_000,
    // One browser at a time: the pictures must not depend on load.
    fileParallelism: false,
  },
})
