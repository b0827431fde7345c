import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { at, nativeEnv } from '../../scripts/lib/project.mjs'

// A pass and a wire format are added to a copy of the sources by the edits that CONTRIBUTING.md promises, and by no others.
// What they do then is asked by tests/fixtures/toy/works.rs and works.mjs.

const tree = at('target', 'toy', 'tree')
const fixture = (name: string) => at('tests', 'fixtures', 'toy', name)

/** All that cargo and tsc need. Times stay, so that cargo compiles no crate twice that is as it was. */
const SOURCES = [
  ...['Cargo.toml', 'Cargo.lock', '.cargo', 'src', 'encodings', 'outline', 'package.json'],
  ...['js/src', 'js/tsconfig.json', 'tests/support/view.rs'],
]

/** Edits of the toy, so that the test can say that there are no others. */
const edits: string[] = []

function addFiles(from: string, to: string): void {
  cpSync(fixture(from), join(tree, to), { recursive: true })
  edits.push(`new ${to}`)
}

/** Adds a line behind the one that has `text` in it. */
function addLine(file: string, text: string, line: string): void {
  const lines = readFileSync(join(tree, file), 'utf8').split('\n')
  const place = lines.findIndex((each) => each.includes(text))
  expect(place, `${text} in ${file}`).toBeGreaterThan(-1)
  lines.splice(place + 1, 0, line)
  writeFileSync(join(tree, file), lines.join('\n'))
  edits.push(`a line in ${file}`)
}

/** The crates that the copy needs are those of the project: cargo compiles them once. */
function run(command: string, args: string[]): string {
  const env = { ...nativeEnv(), CARGO_TARGET_DIR: at('target'), CARGO_TERM_COLOR: 'never' }
  try {
    return execFileSync(command, args, { cwd: tree, encoding: 'utf8', env, stdio: 'pipe' })
  } catch (error) {
    const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string }
    throw new Error(`${[command, ...args].join(' ')}\n${stdout}\n${stderr}`)
  }
}

beforeAll(() => {
  rmSync(tree, { recursive: true, force: true })
  const filter = (file: string) => !file.endsWith('/target')
  for (const source of SOURCES) {
    mkdirSync(dirname(join(tree, source)), { recursive: true })
    cpSync(at(source), join(tree, source), { recursive: true, preserveTimestamps: true, filter })
  }
  // Of another version cargo keeps it apart from the project, whose tests it would else link with the toys.
  const manifest = join(tree, 'Cargo.toml')
  const text = readFileSync(manifest, 'utf8')
  writeFileSync(manifest, text.replace(/^version = "(.*)"$/m, 'version = "$1-toy"'))
  for (const folder of ['node_modules', 'pkg']) symlinkSync(at(folder), join(tree, folder))
})

test('a pass is a file, a line in the registry and a place in ORDER; a format is a folder and a line', () => {
  addFiles('pass.rs', 'src/projection/passes/toy.rs')
  addLine(
    'src/projection/registry.rs',
    ' Retire retire ',
    '            14 Toy toy toy: PassSetting<ToyPolicy>, " Clears every result of one tool.";',
  )
  addLine('src/projection/registry.rs', '    PassName::Age,', '    PassName::Toy,')
  addFiles('format', 'src/formats/toy')
  addLine('src/formats/registry.rs', '    LangChain = ', '    Toy = "toy", toy in "toy/mod.rs": "A toy.";')
  expect(edits).toEqual([
    'new src/projection/passes/toy.rs',
    'a line in src/projection/registry.rs',
    'a line in src/projection/registry.rs',
    'new src/formats/toy',
    'a line in src/formats/registry.rs',
  ])
  cpSync(fixture('works.rs'), join(tree, 'tests/works.rs'))
  // All of the engine's own tests, which also write what TypeScript takes over, and those of the toys.
  const output = run('cargo', ['test', '--offline', '--lib', '--test', 'works'])
  expect(output.match(/test result: ok/g)).toHaveLength(2)
  const types = readFileSync(join(tree, 'js/src/generated/types.ts'), 'utf8')
  expect(types).toMatch(/export type ToyPolicy = /)
  const schema = JSON.parse(readFileSync(join(tree, 'js/src/generated/policy.schema.json'), 'utf8'))
  expect(schema.properties.toy.description).toBe('Clears every result of one tool.')
}, 900_000)

test('in TypeScript a format is a file and a line; a pass is nothing', () => {
  const compile = () => run(process.execPath, [at('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'js'])
  edits.length = 0
  // What is missing is said by the compiler.
  expect(compile).toThrow(/js\/src\/formats\/codecs\.ts.*\n.*"toy"/)
  addFiles('codec.ts', 'js/src/formats/toy.ts')
  addLine('js/src/formats/registry.ts', 'openAiResponses', "export { toy } from './toy.js'")
  expect(edits).toEqual(['new js/src/formats/toy.ts', 'a line in js/src/formats/registry.ts'])
  compile()
  run(process.execPath, [fixture('works.mjs'), join(tree, 'js/dist')])
}, 600_000)

test('the toy has no trace in the project', () => {
  const passes = readdirSync(at('src', 'projection', 'passes'))
  expect(passes).not.toContain('toy.rs')
})
