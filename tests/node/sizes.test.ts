// Download sizes of what applications import, as `npm run size` prints them.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fromByteText } from '../../js/src/engine/module.js'
import { toByteText } from '../../scripts/lib/byte-text.mjs'
import { at } from '../../scripts/lib/project.mjs'
import { adapterSizes, engineSizes, isOver } from '../../scripts/lib/sizes.mjs'

const over = (rows: { name: string; brotli: number; limit: number }[]) =>
  rows.filter(isOver).map(({ name, brotli }) => `${name}: ${brotli}`)

describe('download size', () => {
  test('of the engine is within its limits', async () => {
    const rows = await engineSizes()
    expect(over(rows)).toEqual([])
    const [project, whole] = rows.map(({ raw }) => raw)
    // `project` does not include the rules of providers, which `validate` needs.
    expect((whole ?? 0) - (project ?? 0)).toBeGreaterThan(100_000)
  })

  test('of each adapter is within its limit', async () => {
    const rows = await adapterSizes()
    expect(rows.length).toBeGreaterThan(8)
    expect(over(rows)).toEqual([])
  })
})

describe('toByteText', () => {
  const bytes = Uint8Array.from({ length: 256 * 256 * 2 }, (_, i) => (i % 2 === 0 ? i >> 9 : i >> 1))

  test('round-trips every pair of bytes, and a whole wasm file', () => {
    expect(Buffer.compare(new Uint8Array(fromByteText(toByteText(bytes))), bytes)).toBe(0)
    expect(fromByteText('').byteLength).toBe(0)
    const core = readFileSync(at('pkg', 'core_bg.wasm'))
    expect(Buffer.compare(new Uint8Array(fromByteText(toByteText(core))), core)).toBe(0)
  })

  test('needs no escapes in any quotes or in a page', () => {
    expect(toByteText(bytes)).toMatch(/^[ -~]*$/)
    expect(toByteText(bytes)).not.toMatch(/["'`\\$<]/)
  })
})
