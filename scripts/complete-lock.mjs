#!/usr/bin/env node
// Adds the optional packages of other platforms that npm left out of package-lock.json. npm does so if its registry
// does not serve them, or if node_modules already existed; `npm ci` rejects such a lock file. The packages that list
// them pin their exact versions, and their names contain the platform.
//
// `node scripts/complete-lock.mjs [FILE]`: the project's own lock file by default.
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { at } from './lib/project.mjs'

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const processors = [
  'arm64',
  'arm',
  'x64',
  'ia32',
  'ppc64',
  'riscv64',
  's390x',
  'loong64',
  'mips64el',
  'wasm32',
]

/** Platform by name: '@rollup/rollup-linux-x64-musl' is for { os: ['linux'], cpu: ['x64'], libc: ['musl'] }. */
function platformOf(name) {
  const words = name.split('/').at(-1).split('-')
  const os = words.filter((word) => systems.includes(word))
  const cpu = words.filter((word) => processors.includes(word))
  const musl = words.some((word) => word.startsWith('musl'))
  const glibc = words.some((word) => word.startsWith('gnu'))
  const libc = os.includes('linux') && (musl || glibc) ? { libc: [musl ? 'musl' : 'glibc'] } : {}
  return { ...(cpu.length > 0 && { cpu }), ...libc, ...(os.length > 0 && { os }) }
}

/** Returns the lock file entries of optional packages that are listed by a package and missing in the lock file. */
export function missingEntries(packages) {
  const missing = {}
  for (const { optionalDependencies = {}, dev } of Object.values(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const path = `node_modules/${name}`
      if (packages[path]) continue
      const { cpu, libc, os } = platformOf(name)
      missing[path] = {
        version,
        ...(cpu && { cpu }),
        ...(dev && { dev }),
        ...(libc && { libc }),
        optional: true,
        ...(os && { os }),
      }
    }
  }
  return missing
}

function completeLock(file) {
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const missing = missingEntries(lock.packages)
  const all = Object.entries({ ...lock.packages, ...missing })
  lock.packages = Object.fromEntries(all.sort(([a], [b]) => a.localeCompare(b, 'en')))
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`package-lock.json: ${Object.keys(missing).length} entries added`)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  completeLock(process.argv[2] ?? at('package-lock.json'))
