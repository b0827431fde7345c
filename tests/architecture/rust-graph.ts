import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Graph } from './graph.js'

// Reads the imports between files of a crate from `mod`, `use` and paths in the code, as rustfmt formats them. The
// compiler does not report imports without building the crate.
//
// A facade (`mod.rs`, `lib.rs`) only re-exports what its children declare: an import of a re-exported item is an edge
// to the file that declares it, and the facade's own `mod` and `pub use` are no edges. Without that rule every folder
// would be one cycle, from the file that uses `super::Item` through the facade and back. A facade that declares items
// itself is more than that: what its own code imports counts as in any file, and a file that names an item through it
// imports it as well. Tests are left out: they may import everything.

/** A file as a module: its path, its declarations, and its re-exports. */
interface Module {
  file: string
  path: string[]
  code: string
  children: Set<string>
  /** From `pub use`: the name that is exported, `*` for all, and its source. */
  reexports: { name: string; from: string[] }[]
}

const DECLARED = /\b(?:struct|enum|trait|fn|type|const|static|union|macro_rules!)\s+(?:mut\s+)?(\w+)/g

/** Returns the files of the crate whose sources are in `folder`, and the imports of each. */
export function rustGraph(folder: string): Graph {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.rs') && !/(^|\/)tests\.rs$/.test(file))
    .sort()
  const modules = new Map<string, Module>()
  for (const file of files) {
    const path = file
      .replace(/(^|\/)(mod|lib)?\.rs$/, '')
      .split('/')
      .filter((name) => name !== '')
      .map((name) => name.replace(/\.rs$/, ''))
    modules.set(path.join('::'), {
      file,
      path,
      code: codeOf(join(folder, file)),
      children: new Set(),
      reexports: [],
    })
  }
  for (const { path } of modules.values()) {
    modules.get(path.slice(0, -1).join('::'))?.children.add(path.at(-1) ?? '')
  }
  const crate = new Crate(modules)
  return new Map([...modules.values()].map((module) => [module.file, crate.importsOf(module)]))
}

/** Returns the code without comments, string contents and inline tests. */
function codeOf(file: string): string {
  const text = readFileSync(file, 'utf8')
  const code = text.replace(/\/\/.*$/gm, '').replace(/\$crate\b/g, 'crate')
  const tests = code.search(/^#\[cfg\((all\()?test[^\]]*\]\s*mod \w+ \{/m)
  return (tests === -1 ? code : code.slice(0, tests)).replace(/"(?:[^"\\]|\\.)*"/gs, (string) =>
    /^"[\w/]+\.rs"$/.test(string) ? string : '""',
  )
}

class Crate {
  readonly #modules: Map<string, Module>

  constructor(modules: Map<string, Module>) {
    this.#modules = modules
    for (const module of modules.values()) this.#readReexports(module)
  }

  importsOf(module: Module): Set<string> {
    const { code, path } = module
    const imported = new Set<string>()
    const local = new Map<string, string[]>()
    const add = (segments: string[]): void => {
      for (const file of this.#filesOf(this.#absolute(path, segments, local))) {
        if (file !== module.file) imported.add(file)
      }
    }
    const body = code.replace(USE, (_all, isPublic: string | undefined, tree: string) => {
      for (const { name, segments } of useTree(tree)) {
        const target = this.#absolute(path, segments, local)
        if (target !== undefined && this.#modules.has(target.join('::'))) local.set(name, target)
        else if (isPublic === undefined) add(segments)
      }
      return ''
    })
    for (const [found] of body.matchAll(/\b\w+(?:::\w+)+/g)) add(found.split('::'))
    // A module with a file name, also in a macro: `#[path = "folder/mod.rs"] mod folder;`.
    for (const [, name] of body.matchAll(/"([\w/]+)\.rs"/g)) {
      const named = [...path.slice(0, -1), ...(name as string).split('/').filter((part) => part !== 'mod')]
      const file = this.#modules.get(named.join('::'))?.file
      if (file !== undefined) imported.add(file)
    }
    return imported
  }

  /** Resolves a path from the crate's root; `undefined` if it leads outside, or does not name a module. */
  #absolute(path: string[], segments: string[], local: Map<string, string[]>): string[] | undefined {
    const [first, ...rest] = segments as [string, ...string[]]
    if (first === 'crate') return rest
    if (first === 'self') return [...path, ...rest]
    if (first === 'super') {
      const up = segments.findIndex((name) => name !== 'super')
      const count = up === -1 ? segments.length : up
      return [...path.slice(0, path.length - count), ...segments.slice(count)]
    }
    const known = local.get(first)
    if (known !== undefined) return [...known, ...rest]
    return this.#modules.get(path.join('::'))?.children.has(first) === true
      ? [...path, ...segments]
      : undefined
  }

  /** Returns the files that declare what a path names. */
  #filesOf(path: string[] | undefined, seen: ReadonlySet<string> = new Set(), isSearch = false): string[] {
    if (path === undefined) return []
    let length = path.length
    while (!this.#modules.has(path.slice(0, length).join('::'))) length -= 1
    const module = this.#modules.get(path.slice(0, length).join('::')) as Module
    const item = path[length]
    if (item === undefined || seen.has(`${module.file} ${item}`))
      return item === undefined ? [module.file] : []
    if (item !== '*' && declares(module, item)) return [module.file]
    const further = new Set([...seen, `${module.file} ${item}`])
    const passedOn = module.reexports.filter(({ name }) => name === item || item === '*')
    const all = module.reexports.filter(({ name }) => name === '*')
    const files = [...passedOn, ...all].flatMap(({ from, name }) =>
      this.#filesOf(name === '*' ? [...from, item] : from, further, isSearch || name === '*'),
    )
    if (item === '*') return isFacade(module) ? files : [module.file, ...files]
    // A macro may have declared the item; but if all of a file is re-exported, it may be in another file.
    if (files.length === 0) return isSearch || isFacade(module) ? [] : [module.file]
    return hasOwnCode(module) ? [module.file, ...files] : files
  }

  #readReexports(module: Module): void {
    for (const [, isPublic, tree] of module.code.matchAll(USE)) {
      if (isPublic === undefined) continue
      for (const { name, segments } of useTree(tree as string)) {
        const from = this.#absolute(module.path, name === '*' ? segments.slice(0, -1) : segments, new Map())
        if (from !== undefined) module.reexports.push({ name, from })
      }
    }
    // `mod $file; pub use $file::*;` in a macro re-exports every file of the folder.
    if (/pub use \$\w+::\*/.test(module.code)) {
      for (const child of module.children) module.reexports.push({ name: '*', from: [...module.path, child] })
    }
  }
}

const USE = /^\s*(pub(?:\([^)]*\))?\s+)?use\s+([^;$]+);/gm

function declares(module: Module, item: string): boolean {
  return [...module.code.matchAll(DECLARED)].some((match) => match[1] === item)
}

function hasOwnCode({ code }: Module): boolean {
  return new RegExp(DECLARED).test(code)
}

function isFacade({ file }: Module): boolean {
  return /(^|\/)(mod|lib)\.rs$/.test(file)
}

/** Expands `a::{b, c::{d, self}}` to single paths, with the name that each defines. */
function useTree(tree: string): { name: string; segments: string[] }[] {
  const flat = tree.replace(/\s+/g, ' ').trim()
  const open = flat.indexOf('{')
  if (open === -1) {
    const [path, alias] = flat.split(' as ') as [string, string?]
    const segments = path.split('::').map((name) => name.trim())
    return [{ name: alias ?? segments.at(-1) ?? '', segments }]
  }
  const before = flat.slice(0, open)
  return branches(flat.slice(open + 1, flat.lastIndexOf('}'))).flatMap((branch) => {
    const isSelf = branch === 'self'
    return useTree(isSelf ? before.replace(/::$/, '') : before + branch)
  })
}

/** Splits a list at its own commas, not those of nested lists. */
function branches(list: string): string[] {
  const parts: string[] = []
  let [depth, part] = [0, '']
  for (const char of list) {
    if (char === '{') depth += 1
    if (char === '}') depth -= 1
    if (char === ',' && depth === 0) parts.push(part.trim())
    part = char === ',' && depth === 0 ? '' : part + char
  }
  return [...parts, part.trim()].filter((each) => each !== '')
}
