// Exit code 0 if node_modules matches package-lock.json, else 1. npm writes its own copy of the lock file into
// node_modules at the very end of an installation, so an incomplete one does not pass.
import { existsSync, readFileSync } from 'node:fs'
import { at } from './project.mjs'

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return {}
  }
}

const wanted = packagesOf(at('package-lock.json'))
const installed = packagesOf(at('node_modules', '.package-lock.json'))

// An optional package for another platform may be missing.
const fits = ([path, { version, integrity, optional }]) => {
  const found = installed[path]
  if (!found) return Boolean(optional)
  return found.version === version && found.integrity === integrity && existsSync(at(path, 'package.json'))
}

const named = Object.entries(wanted).filter(([path]) => path !== '')
process.exitCode = named.length > 0 && named.every(fits) ? 0 : 1
