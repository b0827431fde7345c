// Suites of `npm test`. A suite resolves to its counts and to its output, for the reader of a failure.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { buildTestRunner, testRunner } from './bindgen.mjs'
import { chromeDriver, chromium } from './browser.mjs'
import { cargoCounts, none, sum, vitestCounts, withExitCode } from './counts.mjs'
import { packAndCheck } from './package-contents.mjs'
import { at, nativeEnv, npmBin, tsc, wasmEnv, wasmTarget } from './project.mjs'
import { capture } from './run.mjs'
import { checkLimits } from './sizes.mjs'
import { filesIn } from './stamp.mjs'

/** Removes cargo's lines about compiled crates, which would hide the reason of a failure. */
const withoutProgress = (output) => output.replace(/^ +(Compiling|Checking|Downloaded|Fresh) .*\n/gm, '')

async function cargoTests(command, env) {
  const { code, output, reason } = await capture(command, { env: { ...env, CARGO_TERM_COLOR: 'never' } })
  const note = code === 0 ? '' : `\n(${command.join(' ')}: ${reason})`
  return { ...withExitCode(cargoCounts(output), code), output: withoutProgress(output) + note }
}

/** Files that the Rust tests generate from Rust declarations. */
const generated = ['types.ts', 'outline.ts', 'policy.schema.json', 'protocol.ts', 'arguments.ts'].map(
  (name) => `js/src/generated/${name}`,
)

/** Runs the tests, and checks that the generated files were up to date. */
async function rust() {
  const read = (file) => (existsSync(at(file)) ? readFileSync(at(file), 'utf8') : '')
  const before = generated.map(read)
  const tests = await cargoTests(['cargo', 'test', '--workspace', '--no-fail-fast'], nativeEnv())
  const drifted = generated.filter((file, i) => read(file) !== before[i])
  const notes = drifted.map(
    (file) => `\nFAILED ${file} was not what the Rust types say: it is now, commit it`,
  )
  const counts = { ...none, passed: generated.length - drifted.length, failed: drifted.length }
  return { ...sum([tests, counts]), output: tests.output + notes.join('') }
}

/** Cargo passes the test program to a runner, which serves it to the browser of `webdriver.json`. */
async function wasmInChromium() {
  await buildTestRunner()
  const env = {
    ...wasmEnv(),
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: testRunner,
    CHROMEDRIVER: chromeDriver(),
    WASM_BINDGEN_TEST_ONLY_WEB: '1',
    WASM_BINDGEN_TEST_TIMEOUT: '120',
  }
  // All test programs, as `wasm-pack test` builds them; only `tests/wasm.rs` and `tests/panic.rs` have tests in a browser.
  return cargoTests(['cargo', 'test', '--target', wasmTarget, '--tests'], env)
}

async function vitest(name, config) {
  const report = at('target', 'test', `${name}.json`)
  mkdirSync(at('target', 'test'), { recursive: true })
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const env = { ...nativeEnv(), CHROMIUM: chromium(), CHROMEDRIVER: chromeDriver(), NO_COLOR: '1' }
  const { code, output } = await capture([npmBin('vitest'), 'run', '--config', config, ...reporters], { env })
  const counts = existsSync(report) ? vitestCounts(JSON.parse(readFileSync(report, 'utf8'))) : none
  return { ...withExitCode(counts, code), output }
}

/** Runs a check that passes or fails as a whole: `{ ok, output }`. */
async function check(name, work) {
  const { ok, output } = await work()
  const verdict = `${ok ? 'ok    ' : 'FAILED'} ${name}`
  return { ...none, passed: ok ? 1 : 0, failed: ok ? 0 : 1, output: ok ? verdict : `${verdict}\n${output}` }
}

async function command(words, env = nativeEnv()) {
  const { code, output, reason } = await capture(words, { env })
  return { ok: code === 0, output: `${output.trimEnd()}\n(${words.join(' ')}: ${reason})` }
}

async function inTurn(checks) {
  const results = []
  for (const [name, work] of checks) results.push(await check(name, work))
  return { ...sum(results), output: results.map((result) => result.output).join('\n') }
}

async function clippyForWasm() {
  // Debian's Rust may be installed without clippy: the compiler's own lints are used then.
  const hasClippy = (await capture(['cargo', 'clippy', '--version'], { env: wasmEnv() })).code === 0
  const target = ['--target', wasmTarget]
  if (hasClippy) return command(['cargo', 'clippy', '--quiet', ...target, '--', '-D', 'warnings'], wasmEnv())
  const deny = `target.${wasmTarget}.rustflags=["-Dwarnings"]`
  return command(['cargo', 'check', '--quiet', ...target, '--config', deny], wasmEnv())
}

const checkOnly = ['--check', '--', '--color', 'never']
const rustfmt = ['rustfmt', '--edition', '2024', '--check', '--color', 'never']
const isRust = (file) => file.endsWith('.rs')
const bindgenManifest = ['--manifest-path', at('scripts', 'bindgen', 'Cargo.toml')]

const lint = () =>
  inTurn([
    ['biome', () => command([npmBin('biome'), 'check', '--error-on-warnings', '.'])],
    ['cargo fmt', () => command(['cargo', 'fmt', '--all', ...checkOnly])],
    // cargo fmt does not find modules declared by a macro.
    ['rustfmt, src/formats', () => command([...rustfmt, ...filesIn('src/formats').filter(isRust)])],
    ['rustfmt, passes', () => command([...rustfmt, ...filesIn('src/projection/passes').filter(isRust)])],
    ['cargo fmt, scripts/bindgen', () => command(['cargo', 'fmt', ...bindgenManifest, ...checkOnly])],
    [
      'clippy',
      () => command(['cargo', 'clippy', '--quiet', '--workspace', '--all-targets', '--', '-D', 'warnings']),
    ],
    ['clippy, wasm32', clippyForWasm],
  ])

function types() {
  const projects = ['js', 'tests', 'www'].filter((folder) => existsSync(at(folder, 'tsconfig.json')))
  return inTurn(
    projects.map((name) => [name, () => command([tsc, '--noEmit', '-p', `${name}/tsconfig.json`])]),
  )
}

/** Entries that are bytes or data: they have no types to check. */
function untypedEntries() {
  const { exports } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
  const isData = (target) => typeof target === 'string' && /\.(wasm|json)$/.test(target)
  return Object.keys(exports).filter((entry) => isData(exports[entry]) && !entry.includes('*'))
}

/** Packed once: compressing it takes longer than any check of it. */
async function packageChecks() {
  const { tarball, ...contents } = await packAndCheck()
  const attw = [
    npmBin('attw'),
    tarball,
    '--profile',
    'esm-only',
    '--exclude-entrypoints',
    ...untypedEntries(),
  ]
  return inTurn([
    ['contents of the tarball', async () => contents],
    ['sizes', checkLimits],
    ['publint', () => command([npmBin('publint'), 'run', tarball, '--strict'])],
    ['are the types wrong', () => command(attw)],
    ['knip', () => command([npmBin('knip')])],
  ])
}

/** The hosts' programs in tests/hosts/packages are for one platform. */
const hosts =
  process.platform === 'linux' && process.arch === 'x64'
    ? [
        {
          name: 'hosts',
          title: 'hosts and Mastra',
          built: true,
          run: () => vitest('hosts', 'tests/vitest.hosts.config.ts'),
        },
      ]
    : []

/**
 * In the order in which they start, after cargo's. The two slowest are the first and the last: each uses both cores, so
 * that neither core waits at the end. `cargo`: uses cargo's lock; `built`: needs the output of scripts/build.mjs.
 */
export const suites = [
  { name: 'rust', title: 'Rust', cargo: true, run: rust },
  { name: 'wasm', title: 'wasm in Chromium', cargo: true, run: wasmInChromium },
  { name: 'lint', title: 'lint and format', cargo: true, run: lint },
  {
    name: 'node',
    title: 'TypeScript in Node',
    built: true,
    run: () => vitest('node', 'tests/vitest.config.ts'),
  },
  { name: 'package', title: 'package', built: true, run: packageChecks },
  ...hosts,
  { name: 'types', title: 'types', built: true, run: types },
  {
    name: 'page',
    title: 'page in Chromium',
    built: true,
    run: () => vitest('page', 'tests/vitest.page.config.ts'),
  },
]
