import { createHash, randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { digestOf } from '../../js/src/base/digest.js'
import { sha256 } from '../../js/src/base/sha256.js'

test('sha256 gives the digests of node:crypto, at each length around a block and for long texts', () => {
  const lengths = [...Array(200).keys(), 1000, 65_536, 1_000_001]
  for (const bytes of lengths.map((length) => randomBytes(length)))
    expect(Buffer.from(sha256(bytes)).toString('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
})

test('without crypto.subtle, as in a page that is served without encryption, a digest is the same', async () => {
  const bytes = randomBytes(300)
  const digest = await digestOf(bytes)
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  try {
    expect(await digestOf(bytes)).toBe(digest)
  } finally {
    vi.unstubAllGlobals()
  }
})
