// The same as `core-inlined.ts`, for `pkg/files_bg.wasm`.
import { files } from './files.js'
import { filesBase64 } from './files-bytes.js'
import { fromBase64 } from './module.js'

files.provideBytes(() => fromBase64(filesBase64))
