import { readdirSync, readFileSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { TrimtabError } from 'trimtab'
import { createWorkspace } from 'trimtab/workspace'
import { expect, test } from 'vitest'
import { scratchFolder } from './folder.js'

const paths = JSON.parse(readFileSync(new URL('hostile-paths.json', import.meta.url), 'utf8')) as string[]
const SECRET = 'secret that nobody in the root may see'

/** Makes a root with links that lead out of it in every way, and their targets beside it. */
async function makeTrap(): Promise<{ root: string; folder: string }> {
  const folder = scratchFolder()
  const root = join(folder, 'root')
  await fs.mkdir(join(root, 'folder'), { recursive: true })
  for (const place of ['outside', 'root-twin']) {
    await fs.mkdir(join(folder, place))
    await fs.writeFile(join(folder, place, 'secret.txt'), SECRET)
  }
  await fs.writeFile(join(folder, 'outside.txt'), SECRET)
  const links: Record<string, string> = {
    'link-out': join(folder, 'outside'),
    'folder/link-out': join(folder, 'outside'),
    'link-file': join(folder, 'outside.txt'),
    'link-chain': 'link-out',
    'link-up': '..',
    'link-absolute': '/etc',
    'link-dangling': join(folder, 'not-there'),
    'link-loop': 'link-loop',
    'link-etc': '/etc/passwd',
    'link-proc': '/proc/self',
    'link-to-root-twin': join(folder, 'root-twin'),
    'link-relative-out': '../outside.txt',
  }
  for (const [name, target] of Object.entries(links)) await fs.symlink(target, join(root, name))
  return { root, folder }
}

/** Contents of the files beside the root. */
const outside = (folder: string) =>
  ['outside/secret.txt', 'root-twin/secret.txt', 'outside.txt'].map((path) =>
    readFileSync(join(folder, path), 'utf8'),
  )

/** Names in the root, without following links. */
const inside = (root: string) => [...readdirSync(root), ...readdirSync(join(root, 'folder'))]

test('the list has at least a hundred hostile paths', () => {
  expect(new Set(paths).size).toBeGreaterThanOrEqual(100)
})

test.each(paths)('%j does not leave the root', async (path) => {
  const { root, folder } = await makeTrap()
  const workspace = createWorkspace({ fs, root })
  const before = { outside: outside(folder), beside: readdirSync(folder) }
  const attempts = [
    () => workspace.readFile(path),
    () => workspace.stat(path),
    () => workspace.list(path),
    () => workspace.writeFile(path, 'written'),
    () => workspace.writeFile(`${path}/new.txt`, 'written'),
    () => workspace.remove(path),
  ]
  for (const attempt of attempts) {
    try {
      expect(JSON.stringify(await attempt()) ?? '').not.toContain(SECRET)
    } catch (error) {
      expect(error).toBeInstanceOf(TrimtabError)
    }
  }
  expect({ outside: outside(folder), beside: readdirSync(folder) }).toEqual(before)
})

/**
 * Names with percent signs, or with characters that only look like dots and slashes, which have no special
 * meaning.
 */
const harmless = /^(?:%|\.\.%|．|‥|\.\.[∕／]|\.\.\.)/

test.each(paths.filter((path) => !harmless.test(path) && !path.startsWith('link-loop')))(
  '%j is refused as an invalid path, and no file is created',
  async (path) => {
    const { root } = await makeTrap()
    const before = inside(root)
    const error = await createWorkspace({ fs, root })
      .writeFile(path, 'x')
      .catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'invalid_path', argument: 'path' })
    expect(inside(root)).toEqual(before)
  },
)

test.each(paths.filter((path) => !path.includes('link-')))(
  '%j is refused in memory unless it is harmless',
  async (path) => {
    const workspace = createWorkspace({ memory: {} })
    const error = await workspace.writeFile(path, 'x').catch((error: unknown) => error)
    if (error instanceof Error) expect(error).toBeInstanceOf(TrimtabError)
    else expect(harmless.test(path)).toBe(true)
  },
)
