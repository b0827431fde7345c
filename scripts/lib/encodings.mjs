// The encodings: one wasm file for each vocabulary, of the crate in encodings/.
import { encodings } from './loaders.mjs'
import { buildWasm } from './wasm.mjs'

/** A feature of the crate each. An encoding that shares its vocabulary with another one is in its file. */
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
