// Packages of benches/corpus: npm packages are listed with their digests, cargo's in a lock file.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { at, nativeEnv } from './project.mjs'
import { run, step } from './run.mjs'

const corpus = at('target', 'corpus')
const packages = JSON.parse(readFileSync(at('benches', 'corpus', 'packages.json'), 'utf8'))

function check(tarball, { name, version, integrity }) {
  const digest = createHash('sha512').update(readFileSync(tarball)).digest('base64')
  if (`sha512-${digest}` === integrity) return
  throw new Error(`${name}@${version} is not what benches/corpus/packages.json says: sha512-${digest}`)
}

/** Unpacks a package next to its place and moves it there at the end: an existing folder is complete. */
async function fetchPackage(wanted) {
  const { name, version } = wanted
  const place = join(corpus, `${name.replace('/', '-')}-${version}`)
  if (existsSync(place)) return `${version}, here already`
  const next = join(corpus, 'next')
  rmSync(next, { recursive: true, force: true })
  mkdirSync(next, { recursive: true })
  const pack = ['npm', 'pack', `${name}@${version}`, '--ignore-scripts', '--json', '--pack-destination', next]
  const [{ filename }] = JSON.parse((await run(pack)).stdout)
  const tarball = join(next, filename)
  check(tarball, wanted)
  await run(['tar', '-xzf', tarball, '-C', next])
  rmSync(tarball)
  renameSync(next, place)
  return version
}

/** Downloads missing packages. */
export async function fetchCorpus() {
  console.log('corpus')
  for (const wanted of packages) await step(wanted.name, () => fetchPackage(wanted))
  const manifest = ['--manifest-path', at('benches', 'corpus', 'Cargo.toml')]
  await step('crates', async () => {
    const target = ['--target', 'x86_64-unknown-linux-gnu']
    await run(['cargo', 'fetch', '--locked', ...manifest, ...target], { env: nativeEnv() })
  })
}
