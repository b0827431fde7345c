/**
 * What runs on wasm files of its own, with their bytes inlined: ready at once, and left out of an application that uses
 * none of it. Nothing here runs at import; a bundler sees that each is either used or not.
 */

import { files } from '../engine/files.js'
import { filesBase64 } from '../engine/files-bytes.js'
import { fromBase64, type WasmModule } from '../engine/module.js'
import { validityBase64 } from '../engine/validity-bytes.js'
import * as editing from '../files/edit.js'
import * as reading from '../files/format-read.js'
import * as validity from '../history/validity.js'
import * as keyInfo from '../recipes/key-info.js'
import * as truncate from '../recipes/truncate.js'
import * as tokens from '../tokens/estimate-tokens.js'

/** The same function, which brings the bytes along that its wasm file starts from when it is first called. */
function withBytes<F>(module: WasmModule, base64: () => string, call: F): F {
  const ready = (...args: unknown[]): unknown => {
    module.provideBytes(() => fromBase64(base64()))
    return (call as (...args: unknown[]) => unknown)(...args)
  }
  return ready as F
}

const ofFiles = <F>(call: F): F => withBytes(files, () => filesBase64, call)
const ofRules = <F>(call: F): F => withBytes(validity.rules, () => validityBase64, call)

export const editFile: typeof editing.editFile = /* @__PURE__ */ ofFiles(editing.editFile)
export const appendToFile: typeof editing.appendToFile = /* @__PURE__ */ ofFiles(editing.appendToFile)
export const prependToFile: typeof editing.prependToFile = /* @__PURE__ */ ofFiles(editing.prependToFile)
export const updateSection: typeof editing.updateSection = /* @__PURE__ */ ofFiles(editing.updateSection)
export const formatRead: typeof reading.formatRead = /* @__PURE__ */ ofFiles(reading.formatRead)
export const formatReads: typeof reading.formatReads = /* @__PURE__ */ ofFiles(reading.formatReads)
export const readTokenLimit: typeof reading.readTokenLimit = /* @__PURE__ */ ofFiles(reading.readTokenLimit)
export const estimateTokens: typeof tokens.estimateTokens = /* @__PURE__ */ ofFiles(tokens.estimateTokens)
export const truncateOutput: typeof truncate.truncateOutput = /* @__PURE__ */ ofFiles(truncate.truncateOutput)
export const extractKeyInfo: typeof keyInfo.extractKeyInfo = /* @__PURE__ */ ofFiles(keyInfo.extractKeyInfo)
export const validate: typeof validity.validate = /* @__PURE__ */ ofRules(validity.validate)
export const repair: typeof validity.repair = /* @__PURE__ */ ofRules(validity.repair)
