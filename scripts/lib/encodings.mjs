// Builds the encodings: one wasm file per vocabulary, from the crate in encodings/.
import { encodings } from './loaders.mjs'
import { buildWasm } from './wasm.mjs'

/** One feature of the crate each. Encodings with the same vocabulary share a file. */
export const vocabularies = [
  ...new Set(Object.values(encodings).map(({ vocabulary }) => vocabulary)),
  'custom',
]

const fileOf = (name) => ({
  name,
  folder: 'pkg/encodings',
  title: `encoding ${name}`,
  crate: 'trimtab-encodings',
  feature: name,
  profile: 'encodings',
  sources: ['encodings/src', 'encodings/build.rs', 'encodings/Cargo.toml'],
})

export const buildEncodings = () => buildWasm(vocabularies.map(fileOf))
