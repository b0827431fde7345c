#!/usr/bin/env node
// `npm run docs`: writes docs/reference from the policy's schema, the error codes and the declarations in js/dist,
// which must be built. A test fails if the committed pages are out of date.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { at } from './lib/project.mjs'
import { reference } from './lib/reference/index.mjs'

const pages = reference()
rmSync(at('docs/reference'), { recursive: true, force: true })
for (const [path, text] of pages) {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}
console.log(`docs/reference: ${pages.size} pages`)
