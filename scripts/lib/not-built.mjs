// Placeholders for grammars and encodings that are not built yet: TypeScript needs their declarations, and loading one
// throws an error that says what to do. A build replaces the two files. A package that contains placeholders is
// rejected, since package-contents.mjs requires the wasm file.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { vocabularies } from './encodings.mjs'
import { grammars } from './outline.mjs'
import { at } from './project.mjs'

/** Functions that the TypeScript layer uses of each. tsc checks them against the uses. */
const starts = `
export declare function initSync(source: { module: BufferSource | WebAssembly.Module }): { memory: WebAssembly.Memory }
export declare function __wbg_reset_state(): void
`
const outlines = `${starts}
export declare function outline(language: string, content: string, lines?: number | null, tokens?: number | null): string
`
const encodes = `${starts}
export declare function room(bytes: number): number
export declare class Encoder {
  constructor(name: string)
  static custom(bytes: number, pattern: string, names: string[], ids: Uint32Array): Encoder
  count(bytes: number, all: boolean, names: string[]): number
  encode(bytes: number, all: boolean, names: string[]): Uint32Array
  decode(tokens: Uint32Array): Uint8Array
}
`
const kinds = [
  {
    folder: 'outline',
    names: grammars,
    what: 'grammar',
    flag: (name) => `--outline=${name}`,
    types: outlines,
  },
  { folder: 'encodings', names: vocabularies, what: 'encoding', flag: () => '--encodings', types: encodes },
]

/** Code of a placeholder module: throws an error with the reason. */
export function moduleNotBuilt({ what, flag }, name) {
  const words = `the ${what} ${name} is not built yet: \`npm run build -- ${flag(name)}\` builds it`
  return `throw new Error(${JSON.stringify(words)})\n`
}

/** Writes placeholders for all that are not built. */
export function standIn() {
  for (const kind of kinds) {
    mkdirSync(at('pkg', kind.folder), { recursive: true })
    for (const name of kind.names) {
      const file = at('pkg', kind.folder, name)
      if (existsSync(`${file}.js`) && existsSync(`${file}.d.ts`)) continue
      writeFileSync(`${file}.js`, moduleNotBuilt(kind, name))
      writeFileSync(`${file}.d.ts`, kind.types)
    }
  }
}
