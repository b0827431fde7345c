import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Files cached at first use only: the model runtime (9 MB) and the grammars (9 MB). */
const LATER = /(^|\/)(w?llama-|grammars\/)/

/** Writes `service-worker.js`, which lists every file of the page and serves them offline. */
export const offline: Plugin = {
  name: 'offline',
  apply: 'build',
  enforce: 'post',
  generateBundle(_, bundle) {
    const made = Object.entries(bundle).map(([name, file]): [string, string | Uint8Array] => [
      name,
      file.type === 'chunk' ? file.code : file.source,
    ])
    const copied = readdirSync(here('../public')).map((name): [string, Uint8Array] => [
      name,
      readFileSync(here(`../public/${name}`)),
    ])
    const files = [...made, ...copied]
      .filter(([name]) => !LATER.test(name))
      .sort(([one], [other]) => (one < other ? -1 : 1))
    const hash = createHash('sha256')
    for (const [name, content] of files) hash.update(name).update(content)
    const source = readFileSync(here('service-worker.js'), 'utf8')
      .replace('__VERSION__', hash.digest('hex').slice(0, 16))
      .replace('__LATER__', String(LATER))
      .replace('__FILES__', JSON.stringify(files.map(([name]) => `./${name}`)))
    this.emitFile({ type: 'asset', fileName: 'service-worker.js', source })
  },
}
