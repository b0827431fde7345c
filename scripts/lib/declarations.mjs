// Declarations of the modules that wasm-bindgen makes. How they are started is declared without the types of the DOM,
// so that programs without these compile too.
import { readFileSync, writeFileSync } from 'node:fs'

const START = `/** Starts the wasm file from bytes or a compiled module. */
export function initSync(source: { module: unknown }): { memory: { readonly buffer: ArrayBuffer } };

/** Starts the wasm file from what is given, or from its own address. */
export default function init(source?: { module_or_path: unknown }): Promise<unknown>;
`

/** Replaces the end of a module's declarations, which is about its start. */
export function shortenDeclarations(file) {
  const text = readFileSync(file, 'utf8')
  const end = text.indexOf('export type InitInput')
  if (end === -1) throw new Error(`${file} does not declare how its module is started`)
  writeFileSync(file, text.slice(0, end) + START)
}
