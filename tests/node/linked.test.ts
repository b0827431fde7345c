import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { at } from '../../scripts/lib/project.mjs'

/**
 * A message from each part of Rust's library that the core must not link (docs/decisions/dependencies.md).
 */
const unwanted: Record<string, string> = {
  'a text cut by an index that can panic, with the tables of what can be printed': 'is not a char boundary',
  'errors of the operating system, in messages of serde_json': 'entity not found',
  'the allocator that Rust brings': 'dlmalloc',
}

describe('the core wasm file', () => {
  const core = readFileSync(at('pkg', 'core_bg.wasm')).toString('latin1')

  test.each(Object.entries(unwanted))('does not link %s', (_, message) => {
    expect(core.includes(message)).toBe(false)
  })

  test('differs from another wasm file that links what is searched for', () => {
    const files = readFileSync(at('pkg', 'files_bg.wasm')).toString('latin1')
    expect(files.includes('entity not found')).toBe(true)
    expect(core.includes('is not supported: use one of')).toBe(true)
  })
})
