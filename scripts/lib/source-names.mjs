import { readdirSync } from 'node:fs'
import { at } from './project.mjs'

const last = (name) => name.slice(name.lastIndexOf('/') + 1)

/** Returns the shortest beginning of a name, of three letters or more, that no other name has. */
function abbreviated(name, names) {
  let length = 3
  while (
    length < name.length &&
    names.some((other) => other !== name && other.startsWith(name.slice(0, length)))
  )
    length++
  return name.slice(0, length)
}

/**
 * Flags of rustc that abbreviate the engine's sources in panic messages, as commits are: `ret` for
 * `src/projection/passes/retire.rs`. Their paths are a two-hundredth of the core. Files of the same name keep their
 * folders.
 */
export function shortSourceNames() {
  const files = readdirSync(at('src'), { recursive: true })
    .filter((file) => file.endsWith('.rs'))
    .sort()
  const paths = files.map((file) => file.replace(/(?:\/mod)?\.rs$/, ''))
  const names = paths.map(last)
  return files.map((file, i) => {
    const isUnique = names.indexOf(names[i]) === names.lastIndexOf(names[i])
    return `--remap-path-prefix=src/${file}=${isUnique ? abbreviated(names[i], names) : paths[i]}`
  })
}
