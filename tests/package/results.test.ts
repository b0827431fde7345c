import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const pkg = new URL('../../pkg', import.meta.url).pathname
const declarations = readdirSync(pkg, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('_bg.wasm.d.ts'),
)

// V8 of Node 20 and 22 inlines a call of such a function, and ends the process with "unreachable code" if its caller is
// deoptimized during the call (docs/decisions/testing.md).
test('no function of a wasm file returns an externref by itself', () => {
  const returned = declarations.flatMap((name) =>
    [...readFileSync(join(pkg, name), 'utf8').matchAll(/^export const (\w+): .* => (.+);$/gm)].map(
      ([, exported, result]) => ({ name, exported, result }),
    ),
  )
  expect(new Set(returned.map(({ name }) => name)).size).toBe(declarations.length)
  expect(returned.some(({ result }) => result === '[number, number, number]')).toBe(true)
  expect(returned.filter(({ result }) => result?.includes('any'))).toEqual([])
})
