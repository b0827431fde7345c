// Real source files that nobody of this project wrote, by language: of npm's and cargo's packages, of Python's library, and
// of what `npm run corpus` fetched.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { detectLanguage } from '../js/dist/outline/index.js'

const project = fileURLToPath(new URL('..', import.meta.url))
const cargo = process.env.CARGO_HOME ?? join(homedir(), '.cargo')
const FOLDERS = [
  join(project, 'node_modules'),
  join(project, 'benches', 'node_modules'),
  join(project, 'target', 'corpus'),
  join(cargo, 'registry', 'src'),
  '/usr/lib/python3.11',
  '/usr/share',
  '/usr/src',
]

/** Below this an outline may take its 1,000 bytes, however small the file. */
const LEAST = 4_000
const MOST = 300_000
const FILES = 60
const MAX_DEPTH = 12

/** A file that a program wrote for a program, or in another language that has the same name. */
const isOther = (path, content) =>
  /\.min\./.test(path) ||
  // Czech, called `.cs`.
  /[\\/](?:groff|vim)[\\/]/.test(path) ||
  content.length / content.split('\n').length > 150 ||
  (path.endsWith('.h') && /^(?:@interface|@protocol|#import)/m.test(content))

function collect(folder, found, depth) {
  if (depth > MAX_DEPTH) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) collect(path, found, depth + 1)
    else if (entry.isFile()) {
      const language = detectLanguage(path)
      if (language !== 'text') found.push({ path, language })
    }
  }
}

/** By folder. */
const known = new Map()
function candidates(folders) {
  const key = folders.join()
  const all = known.get(key) ?? []
  if (known.has(key)) return all
  known.set(key, all)
  for (const folder of folders.filter(existsSync)) {
    const found = []
    collect(folder, found, 0)
    for (const file of found) {
      // cargo's sources lie in one folder more.
      const parts = file.path.slice(folder.length + 1).split(sep)
      all.push({ ...file, of: `${folder}/${parts.slice(0, folder.endsWith('src') ? 2 : 1).join('/')}` })
    }
  }
  return all
}

/** The packages' files in turns: the first of each, then the second of each, so that no package is most of them. */
function inTurns(files) {
  const counts = new Map()
  const turn = ({ path, of }) => {
    counts.set(of, (counts.get(of) ?? 0) + 1)
    return { path, turn: counts.get(of) }
  }
  const byPath = (a, b) => (a.path < b.path ? -1 : 1)
  // Files of one folder are much alike: their digests mix them.
  const mixed = files.map((file) => ({
    ...file,
    key: createHash('sha1').update(basename(file.path)).digest('hex'),
  }))
  mixed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : byPath(a, b)))
  return mixed.map(turn).sort((a, b) => a.turn - b.turn || byPath(a, b))
}

/** At most 60 files of a language, or as many as are asked for, as `{path, content}`: no two alike, of 4 to 300 KB. */
export function filesOf(language, { most = FILES, folders = FOLDERS } = {}) {
  const chosen = []
  const seen = new Set()
  const ofLanguage = ({ path, language: own }) =>
    own === language || (language === 'cpp' && own === 'c' && path.endsWith('.h'))
  for (const { path } of inTurns(candidates(folders).filter(ofLanguage))) {
    const content = readFileSync(path, 'utf8')
    const isFit = content.length >= LEAST && content.length <= MOST && !seen.has(content)
    if (!isFit || isOther(path, content) || detectLanguage(path, content) !== language) continue
    seen.add(content)
    if (chosen.push({ path, content }) === most) break
  }
  return chosen
}
