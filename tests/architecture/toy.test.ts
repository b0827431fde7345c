import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { at, nativeEnv, tsc } from '../../scripts/lib/project.mjs'

// Adds a pass and a wire format to a copy of the sources with the edits that CONTRIBUTING.md lists, and no others.
// tests/fixtures/toy/works.rs and works.mjs check that they work.

const tree = at('target', 'toy', 'tree')
const fixture = (name: string) => at('tests', 'fixtures', 'toy', name)

/**
 * Everything that cargo and tsc need. Modification times are kept, so that cargo does not recompile unchanged crates.
 */
const SOURCES = [
  ...['Cargo.toml', 'Cargo.lock', '.cargo', 'src', 'encodings', 'outline', 'package.json'],
  ...['js/src', 'js/tsconfig.json', 'tests/support', 'tests/passes', 'tests/fixtures/retries.json'],
  ...readdirSync(at('tests'))
    .filter((name) => name.endsWith('.rs'))
    .map((name) => `tests/${name}`),
]

/** Tests that list all passes: CONTRIBUTING.md says that a new pass is added to them. */
const LISTS = ['codes_of_passes', 'which_pass_puts_what', 'numbers_that_are_no_decision']

/** Edits made by the toys, to check that there are no others. */
const edits: string[] = []

function addFiles(from: string, to: string): void {
  cpSync(fixture(from), join(tree, to), { recursive: true })
  edits.push(`new ${to}`)
}

/** Adds a line after the one that contains `text`. */
function addLine(file: string, text: string, line: string): void {
  const lines = readFileSync(join(tree, file), 'utf8').split('\n')
  const place = lines.findIndex((each) => each.includes(text))
  expect(place, `${text} in ${file}`).toBeGreaterThan(-1)
  lines.splice(place + 1, 0, line)
  writeFileSync(join(tree, file), lines.join('\n'))
  edits.push(`a line in ${file}`)
}

/** Uses the project's target folder: the copy depends on the same crates, which cargo compiles once. */
function run(command: string, args: string[]): string {
  const env = {
    ...nativeEnv(),
    CARGO_TARGET_DIR: at('target'),
    CARGO_TERM_COLOR: 'never',
    // Compiled for one short run.
    CARGO_PROFILE_TEST_OPT_LEVEL: '0',
    // The project's own run tries as many cases as a property names.
    PROPTEST_CASES: '16',
  }
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
  // With another version and as an rlib alone, cargo keeps the copy apart from the project. The file of a cdylib's rlib has no
  // hash in its name: the copy would replace the project's, and the project's next tests would link with the toys.
  const manifest = join(tree, 'Cargo.toml')
  const text = readFileSync(manifest, 'utf8')
  const apart = text
    .replace(/^version = "(.*)"$/m, 'version = "$1-toy"')
    .replace(/^crate-type = .*$/m, 'crate-type = ["rlib"]')
  expect(apart).toContain('crate-type = ["rlib"]')
  writeFileSync(manifest, apart)
  for (const folder of ['node_modules', 'pkg']) symlinkSync(at(folder), join(tree, folder))
})

test('adding a pass in Rust takes only the edits that CONTRIBUTING.md lists', () => {
  addFiles('pass.rs', 'src/projection/passes/toy.rs')
  addLine(
    'src/projection/registry.rs',
    ' Retire retire ',
    '            14 Toy toy toy: PassSetting<ToyPolicy>, " Clears every result of one tool.";',
  )
  addLine('src/projection/registry.rs', '    PassName::Age,', '    PassName::Toy,')
  expect(edits).toEqual([
    'new src/projection/passes/toy.rs',
    'a line in src/projection/registry.rs',
    'a line in src/projection/registry.rs',
  ])
  const guide = readFileSync(at('CONTRIBUTING.md'), 'utf8')
  for (const name of LISTS) expect(guide).toContain(`\`${name}\``)
  const modules = ['passes::', 'laws::', 'formats_alike::']
  const others = LISTS.flatMap((name) => ['--skip', name])
  const output = run('cargo', ['test', '--offline', '--test', 'histories', '--', ...modules, ...others])
  const [, passed] = /test result: ok\. (\d+) passed/.exec(output) ?? []
  expect(Number(passed)).toBeGreaterThan(150)
}, 900_000)

test('adding a format in Rust takes only the edits that CONTRIBUTING.md lists', () => {
  edits.length = 0
  addFiles('format', 'src/formats/toy')
  addLine('src/formats/registry.rs', '    LangChain = ', '    Toy = "toy", toy in "toy/mod.rs": "A toy.";')
  expect(edits).toEqual(['new src/formats/toy', 'a line in src/formats/registry.rs'])
  cpSync(fixture('works.rs'), join(tree, 'tests/works.rs'))
  appendFileSync(join(tree, 'Cargo.toml'), '\n[[test]]\nname = "works"\n')
  // All of the engine's own tests, which also generate the files for TypeScript, and the toys' tests.
  const output = run('cargo', ['test', '--offline', '--lib', '--test', 'works'])
  expect(output.match(/test result: ok/g)).toHaveLength(2)
  const types = readFileSync(join(tree, 'js/src/generated/types.ts'), 'utf8')
  expect(types).toMatch(/export type ToyPolicy = /)
  const schema = JSON.parse(readFileSync(join(tree, 'js/src/generated/policy.schema.json'), 'utf8'))
  expect(schema.properties.toy.description).toBe('Clears every result of one tool.')
}, 900_000)

test('adding a format in TypeScript takes a file and a line; adding a pass takes no edit', () => {
  // The second run checks only what the edits concern.
  const options = ['-p', 'js', '--incremental', '--tsBuildInfoFile', 'js.tsbuildinfo']
  const compile = () => run(process.execPath, [tsc, ...options])
  edits.length = 0
  // The compiler reports what is missing.
  expect(compile).toThrow(/js\/src\/formats\/codecs\.ts.*\n.*"toy"/)
  addFiles('codec.ts', 'js/src/formats/toy.ts')
  addLine('js/src/formats/registry.ts', 'openAiResponses', "export { toy } from './toy.js'")
  expect(edits).toEqual(['new js/src/formats/toy.ts', 'a line in js/src/formats/registry.ts'])
  compile()
  run(process.execPath, [fixture('works.mjs'), join(tree, 'js/dist')])
}, 600_000)

/** Files in which the compiler finds an error. */
function filesWithErrors(project: string): string[] {
  try {
    run(process.execPath, [tsc, '--noEmit', '-p', project])
    return []
  } catch (error) {
    return [...String(error).matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map(([, file = '']) => file)
  }
}

test('CONTRIBUTING.md names every other file that needs a new format', () => {
  const filter = (file: string) => !/\/(?:node_modules|hosts|\.work|dist)$/.test(file)
  for (const folder of ['tests', 'www', 'scripts', 'benches', 'examples'])
    cpSync(at(folder), join(tree, folder), { recursive: true, filter })
  const guide = readFileSync(at('CONTRIBUTING.md'), 'utf8')
  const [steps = ''] = /^## Add a format$[\s\S]*?^## /m.exec(guide) ?? []
  const files = ['tests', 'www'].flatMap(filesWithErrors)
  expect(files).toContain('tests/node/oracle.ts')
  expect(files.filter((file) => !steps.includes(`\`${file}\``))).toEqual([])
}, 600_000)

test('the project does not contain the toy pass', () => {
  const passes = readdirSync(at('src', 'projection', 'passes'))
  expect(passes).not.toContain('toy.rs')
})
