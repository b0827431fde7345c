// Real source files from outside this project, by language: from npm's and cargo's packages, from Python's library, and
// from `npm run corpus`.
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

/** Below this size, the minimum of 1,000 bytes for an outline dominates. */
const LEAST = 4_000
const MOST = 300_000
const FILES = 60
const MAX_DEPTH = 12

/** Whether a file is generated, or in another language with the same extension. */
const isOther = (path, content) =>
  /\.min\./.test(path) ||
  // Czech texts, named `.cs`.
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

/** Candidates by folder. */
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
      // cargo's sources have an additional folder level.
      const parts = file.path.slice(folder.length + 1).split(sep)
      all.push({ ...file, of: `${folder}/${parts.slice(0, folder.endsWith('src') ? 2 : 1).join('/')}` })
    }
  }
  return all
}

/** Orders files in turns: the first file of each package, then the second of each, so that no package dominates. */
function inTurns(files) {
  const counts = new Map()
  const turn = ({ path, of }) => {
    counts.set(of, (counts.get(of) ?? 0) + 1)
    return { path, turn: counts.get(of) }
  }
  const byPath = (a, b) => (a.path < b.path ? -1 : 1)
  // Files of one folder are similar: sorting by digest mixes them.
  const mixed = files.map((file) => ({
    ...file,
    key: createHash('sha1').update(basename(file.path)).digest('hex'),
  }))
  mixed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : byPath(a, b)))
  return mixed.map(turn).sort((a, b) => a.turn - b.turn || byPath(a, b))
}

/** Returns at most 60 files of a language, or `most`, as `{path, content}`: all different, of 4 to 300 KB. */
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
