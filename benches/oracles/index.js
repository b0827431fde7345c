// Independent parsers by language. Each takes `{path, content}` of all files and returns the definitions of each,
// `{name, line, rank}`, or `undefined` for a file that it cannot read; `undefined` for all if its program is not
// installed.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { byCtags } from './ctags.js'
import { byJson, byParse5, byPostcss, byYaml } from './documents.js'
import { byProgram, output } from './run.js'
import { byCompiler } from './scripts.js'
import { byUnbash } from './shell.js'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const each = (oracle) => (files) => files.map(oracle)
const run = (...command) => byProgram(() => command)

const TOML = `import json, sys, tomllib
for path in sys.stdin.read().splitlines():
    try:
        names = tomllib.load(open(path, "rb"))
        print(json.dumps([{"name": name, "rank": "top"} for name in names]))
    except ValueError:
        print("null")`

/** Mono's compiler as a library: the program is compiled first. */
function csharp() {
  const program = join(tmpdir(), 'trimtab-definitions.exe')
  const library = process.env.MONO_CSHARP ?? '/usr/lib/mono/4.5/Mono.CSharp.dll'
  output(['mcs', `-r:${library}`, `-out:${program}`, here('Definitions.cs')])
  return ['env', `MONO_PATH=${join(library, '..')}`, 'mono', program]
}

export const ORACLES = {
  bash: each(byUnbash),
  c: each(byCtags('c')),
  cpp: each(byCtags('cpp')),
  csharp: byProgram(csharp),
  css: each(byPostcss),
  go: run('go', 'run', here('definitions.go')),
  html: each(byParse5),
  java: run('java', here('Definitions.java')),
  javascript: each(byCompiler),
  json: each(byJson),
  markdown: each(byCtags('markdown')),
  python: run('python3', here('definitions.py')),
  ruby: run('ruby', here('definitions.rb')),
  rust: run(
    'cargo',
    'run',
    '--quiet',
    '--release',
    '--locked',
    '--target-dir',
    here('../../target/oracles'),
    '--manifest-path',
    here('rust/Cargo.toml'),
  ),
  toml: run('python3', '-c', TOML),
  tsx: each(byCompiler),
  typescript: each(byCompiler),
  yaml: each(byYaml),
  zig: run(process.env.ZIG ?? 'zig', 'run', here('definitions.zig')),
}
