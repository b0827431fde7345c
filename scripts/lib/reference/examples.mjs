// Finds the documentation pages that show an export in use, by the imports of their examples.
import { readdirSync, readFileSync } from 'node:fs'
import { at } from '../project.mjs'

const pages = () => [
  'README.md',
  ...readdirSync(at('docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('reference'))
    .map((name) => `docs/${name}`)
    .sort(),
]

function importsOf(page) {
  const text = readFileSync(at(page), 'utf8')
  const blocks = [...text.matchAll(/^```(?:ts|js)\n([\s\S]*?)^```$/gm)].map((match) => match[1])
  return blocks.flatMap((code) =>
    [...code.matchAll(/import \{([^}]*)\} from '(trimtab[^']*)'/g)].flatMap(([, names, entry]) =>
      names
        .split(',')
        .map((name) => name.trim().replace(/^type /, ''))
        .filter((name) => name !== '')
        .map((name) => `${entry} ${name}`),
    ),
  )
}

/** @returns {Map<string, string[]>} `entry name` to the pages whose examples import it */
export function exampleIndex() {
  const index = new Map()
  for (const page of pages())
    for (const key of new Set(importsOf(page))) index.set(key, [...(index.get(key) ?? []), page])
  return index
}
