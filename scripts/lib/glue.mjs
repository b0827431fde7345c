// Shortens the JavaScript that wasm-bindgen writes for the core, which is in every bundle: what this package never needs
// is left out. Each part must be found, so that another version of wasm-bindgen cannot be shortened by half.
import { readFileSync, writeFileSync } from 'node:fs'

/** @type {[what: string, found: RegExp, instead: string][]} */
const PARTS = [
  // Objects of an earlier instance are never used: `js/src` makes them again after a restart (`currentGeneration`).
  ['checks for stale objects', /^ *if \(\(?\w+\)?\.__wbg_inst !== undefined.*\n.*\n *}\n/gm, ''],
  ['marks for these checks', /^ *Object\.defineProperty\(this, '__wbg_inst'.*\n/gm, ''],
  // The types of the declarations do.
  ['checks of classes', /^ *_assertClass\(.*\n/gm, ''],
  ['the function for these checks', /^function _assertClass[\s\S]*?\n}\n/m, ''],
  // Nothing in the engine asks to be started again.
  ['guards before calls', /^ *__wbg_call_guard\(\);\n/gm, ''],
  ['the function of the guards', /^function __wbg_call_guard[\s\S]*?\n}\n/m, ''],
  ['what the guards look at', /^.*__wbg_reinit_scheduled = false;\n/gm, ''],
  ['declarations apart from their values', /let ret;\n\s*ret = /g, 'const ret = '],
  // Both can stay as they are when the engine starts again.
  ['counters set to 0', /^ *if \(typeof (numBytesDecoded|WASM_VECTOR_LEN) !== 'undefined'\) .*\n/gm, ''],
  ['`using`', /^if \(Symbol\.dispose\).*\n/gm, ''],
  // Policies and names are short: one way to encode them is enough, that without `realloc`.
  [
    'the way to encode long texts',
    /(?<=^function passStringToWasm0\(arg, malloc)(, realloc\) \{\n) *if \(realloc === undefined\) \{\n([\s\S]*?) {4}\}\n[\s\S]*?\n\}\n/m,
    ') {\n$2}\n',
  ],
  ['arguments for it', /, wasm\.__wbindgen_realloc\)/g, ')'],
  ['`encodeInto` for hosts without', /^if \(!\('encodeInto' in [\s\S]*?\n}\n/m, ''],
  // Each function that returns a value, or an array, repeats these lines.
  [
    'results',
    /if \(ret\[2\]\) \{\s+throw takeFromExternrefTable0\(ret\[1\]\);\s+\}\s+return takeFromExternrefTable0\(ret\[0\]\);/g,
    'return takeResult(ret);',
  ],
  [
    'arrays',
    /var v1 = getArrayU32FromWasm0\(ret\[0\], ret\[1\]\)\.slice\(\);\s+wasm\.__wbindgen_free\(ret\[0\], ret\[1\] \* 4, 4\);\s+return v1;/g,
    'return takeArray(ret);',
  ],
  [
    'the place for these functions',
    /^function takeFromExternrefTable0/m,
    `function takeResult(ret) {
    if (ret[2]) throw takeFromExternrefTable0(ret[1]);
    return takeFromExternrefTable0(ret[0]);
}

function takeArray([ptr, len]) {
    const array = getArrayU32FromWasm0(ptr, len).slice();
    wasm.__wbindgen_free(ptr, len * 4, 4);
    return array;
}

$&`,
  ],
  // `js/src/engine/module.ts` passes an object.
  [
    'other arguments of `initSync`',
    /(?<=if \(wasm !== undefined\) return wasm;\n)\s*if \(module !== undefined\) \{[\s\S]*?\n {4}\}\n/,
    '    ({ module } = module);\n',
  ],
]

/** Shortens a file in place. */
export function shortenGlue(file) {
  let text = readFileSync(file, 'utf8')
  for (const [what, found, instead] of PARTS) {
    const shorter = text.replace(found, instead)
    if (shorter === text) throw new Error(`${file}: ${what} not found, see scripts/lib/glue.mjs`)
    text = shorter
  }
  writeFileSync(file, text)
}
