import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Graph } from './graph.js'

/** Returns the imports between these files of a folder: of values and of types, static and dynamic. */
export function typescriptGraph(folder: string, files: readonly string[]): Graph {
  const known = new Set(files)
  const importsOf = (file: string): Set<string> => {
    const text = readFileSync(join(folder, file), 'utf8')
    const addresses = [...text.matchAll(/\b(?:from|import|import\()\s*'(\.[^']+)\.js'/g)]
    const imported = addresses.flatMap(([, address]) => {
      const path = join(dirname(file), address as string)
      return [`${path}.ts`, `${path}.tsx`]
    })
    return new Set(imported.filter((name) => known.has(name)))
  }
  return new Map(files.map((file) => [file, importsOf(file)]))
}
