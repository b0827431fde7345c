import { readdirSync } from 'node:fs'
import { at } from './project.mjs'

const last = (name) => name.slice(name.lastIndexOf('/') + 1)

/**
 * Flags of rustc that give the engine's sources short names in panic messages, such as `retire` for
 * `src/projection/passes/retire.rs`: their paths are a two-hundredth of the core. Files of the same name keep their
 * folders.
 */
export function shortSourceNames() {
  const files = readdirSync(at('src'), { recursive: true })
    .filter((file) => file.endsWith('.rs'))
    .sort()
  const names = files.map((file) => file.replace(/(?:\/mod)?\.rs$/, ''))
  const count = (name) => names.filter((other) => last(other) === last(name)).length
  return files.map((file, i) => {
    const name = count(names[i]) === 1 ? last(names[i]) : names[i]
    return `--remap-path-prefix=src/${file}=${name}`
  })
}
