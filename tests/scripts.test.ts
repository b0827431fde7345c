import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { missingEntries } from '../scripts/complete-lock.mjs'
import { keep, restore } from '../scripts/lib/cache.mjs'
import { cargoCounts, summaryLine, vitestCounts, withExitCode } from '../scripts/lib/counts.mjs'
import { shortenGlue } from '../scripts/lib/glue.mjs'
import { mutantAt, switched } from '../scripts/lib/mutant-switch.mjs'
import { fileOf, groups } from '../scripts/lib/mutant-tests.mjs'
import { moduleNotBuilt } from '../scripts/lib/not-built.mjs'
import { at } from '../scripts/lib/project.mjs'
import { fileFor } from '../scripts/lib/serve.mjs'
import { twoAtATime } from '../scripts/lib/two-at-a-time.mjs'

describe('counts of a test run', () => {
  test('are added up over the test binaries of cargo', () => {
    const output = [
      'test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s',
      'test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out',
      'test result: ok. 4 passed; 0 failed; 0 ignored; 0 filtered out; finished in 0.02s',
    ].join('\n')
    expect(cargoCounts(output)).toEqual({ passed: 19, failed: 2, skipped: 1 })
  })

  test('include a failure for a file that could not be loaded', () => {
    const testResults = [
      { status: 'failed', assertionResults: [] },
      { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] },
      { status: 'passed', assertionResults: [{ status: 'passed' }] },
    ]
    const report = { testResults, numPassedTests: 2, numFailedTests: 1, numPendingTests: 1, numTodoTests: 0 }
    expect(vitestCounts(report)).toEqual({ passed: 2, failed: 2, skipped: 1 })
  })

  test('include a failure for a command that fails without a failing test', () => {
    const counts = { passed: 3, failed: 0, skipped: 0 }
    expect(withExitCode(counts, 101).failed).toBe(1)
    expect(withExitCode(counts, 0).failed).toBe(0)
    expect(withExitCode({ ...counts, failed: 2 }, 1).failed).toBe(2)
  })

  test('are printed as one line, with skipped tests only if there are some', () => {
    expect(summaryLine({ passed: 5, failed: 0, skipped: 0 })).toBe('5 passed, 0 failed')
    expect(summaryLine({ passed: 5, failed: 1, skipped: 2 })).toBe('5 passed, 1 failed, 2 skipped')
  })
})

test('shortenGlue refuses JavaScript in which a part is missing', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'trimtab-glue-')), 'core.js')
  const text = readFileSync(at('pkg', 'core.js'), 'utf8')
  writeFileSync(file, text)
  expect(() => shortenGlue(file)).toThrow('checks for stale objects not found')
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('twoAtATime runs two suites at once, but only one cargo suite', async () => {
  const suites = [
    { name: 'rust', cargo: true },
    { name: 'lint', cargo: true },
    { name: 'node' },
    { name: 'page' },
    { name: 'types' },
  ]
  const ends = new Map<string, () => void>()
  const begun: string[] = []
  const results = twoAtATime(suites, ({ name }: { name: string }) => {
    begun.push(name)
    return new Promise((done) => ends.set(name, () => done(`${name} is done`)))
  })
  const end = async (name: string) => {
    ends.get(name)?.()
    await setImmediate()
    return begun.join(' ')
  }
  expect(begun).toEqual(['rust', 'node'])
  expect(await end('rust')).toBe('rust node lint')
  expect(await end('lint')).toBe('rust node lint page')
  expect(await end('page')).toBe('rust node lint page types')
  await end('types')
  await end('node')
  expect(await results).toEqual(suites.map(({ name }) => `${name} is done`))
})

describe('mutants that are compiled into one program', () => {
  const source = [
    '/// Whether it is {small}.',
    '#[inline]',
    'fn is_small(number: u32) -> bool {',
    '    number < 9 // …',
    '}',
    'fn all(list: &[u32]) -> impl Iterator<Item = u32> {',
    '    list.iter().copied()',
    '}',
    'const LAST: u32 = 1;',
  ].join('\n')
  const span = (startLine: number, startColumn: number, endLine: number, endColumn: number) => ({
    start: { line: startLine, column: startColumn },
    end: { line: endLine, column: endColumn },
  })
  const first = { function: { span: span(1, 1, 5, 2), return_type: '-> bool' } }
  const second = { function: { span: span(6, 1, 8, 2), return_type: '-> impl Iterator<Item = u32>' } }
  const mutants = [
    { ...first, number: 1, span: span(4, 12, 4, 13), replacement: '==' },
    { ...first, number: 2, span: span(4, 5, 4, 15), replacement: 'true' },
    { ...second, number: 3, span: span(7, 5, 7, 25), replacement: '::std::iter::empty()' },
  ]
  const text = switched(source, mutants)
  const squeezed = text.replace(/\/\/ .*$/gm, '').replace(/\s+/g, ' ')

  test('stand beside the original body', () => {
    expect(squeezed).toContain(
      'fn is_small(number: u32) -> bool {match crate::mutant::number(1) { 1 => { number == 9 } 2 => { true } _ => { number < 9 } }}',
    )
    expect(text.startsWith('/// Whether it is {small}.\n#[inline]\nfn is_small')).toBe(true)
    expect(text.endsWith('}\nconst LAST: u32 = 1;')).toBe(true)
  })

  test('are boxed to one type in a function that returns an impl type', () => {
    expect(squeezed).toContain(
      "3 => Box::new({ ::std::iter::empty() }) as Box<dyn Iterator<Item = u32> + '_>,",
    )
    expect(squeezed).toContain(
      "_ => Box::new({ list.iter().copied() }) as Box<dyn Iterator<Item = u32> + '_>,",
    )
  })

  test('go into the function body, also if a parameter pattern has braces', () => {
    const source = 'fn sum(Pair { a, b }: Pair) -> u32 {\n    a + b\n}'
    const of = { span: span(1, 1, 3, 2), return_type: '-> u32' }
    const mutant = { function: of, number: 1, span: span(2, 7, 2, 8), replacement: '-' }
    expect(switched(source, [mutant])).toMatch(
      /^fn sum\(Pair \{ a, b \}: Pair\) -> u32 \{match crate::mutant/,
    )
  })

  test('are found by their lines', () => {
    const lines = text.split('\n')
    const lineOf = (part: string) => lines.findIndex((line) => line.includes(part)) + 1
    expect(mutantAt(text, lineOf('number =='))).toBe(1)
    expect(mutantAt(text, lineOf('true'))).toBe(2)
    expect(mutantAt(text, lineOf('number < 9'))).toBe(0)
    expect(mutantAt(text, lineOf('empty()'))).toBe(3)
    expect(mutantAt(text, 1)).toBe(0)
  })

  test('are run against tests that call their function, fast ones together and first', () => {
    const run = (name: string, program: string, milliseconds: number, called: number[]) => ({
      name,
      program,
      milliseconds,
      called: new Set(called),
    })
    const tests = [
      run('law', 'histories', 900, [1, 4]),
      run('table', 'histories', 3, [1]),
      run('other', 'histories', 1, [4]),
      run('row', 'histories', 2, [1, 4]),
      run('unit', 'trimtab', 1, [1]),
      run('play', 'histories', 300, [1]),
    ]
    const asked = (called: number, first?: (typeof tests)[number]) =>
      groups(tests, { called }, first).map((group) => group.map((one: { name: string }) => one.name).join())
    expect(asked(1)).toEqual(['unit', 'row,table', 'play', 'law'])
    expect(asked(4)).toEqual(['other,row', 'law'])
    expect(asked(9)).toEqual([])
    // The test that detected the previous mutant runs first if it calls this function.
    expect(asked(1, tests[5])[0]).toBe('play')
    expect(asked(4, tests[5])[0]).toBe('other,row')
  })

  test('are attributed to the file of the test that detected them', () => {
    const file = (program: string, name: string) => fileOf({ program, name })
    expect(file('histories', 'passes::clear::what_stays')).toBe('tests/passes/clear.rs')
    expect(file('histories', 'laws::views_are_valid')).toBe('tests/laws.rs')
    expect(file('trimtab', 'projection::need::tests::reads')).toBe('src/projection/need.rs')
    expect(file('trimtab', 'text::lines::tests::all')).toBe('src/text/lines.rs')
  })
})

describe('the page server', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-')))
  const site = join(folder, 'site')
  mkdirSync(join(site, 'assets'), { recursive: true })
  writeFileSync(join(site, 'index.html'), 'page')
  writeFileSync(join(site, 'assets', 'a b.js'), 'script')
  writeFileSync(join(folder, 'secret'), 'secret')
  mkdirSync(join(folder, 'site-beside'))
  writeFileSync(join(folder, 'site-beside', 'secret'), 'secret')
  symlinkSync(join(folder, 'secret'), join(site, 'link'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test('finds files and the index of a folder', () => {
    expect(fileFor(site, '/')).toBe(join(site, 'index.html'))
    expect(fileFor(site, '/index.html?x=1')).toBe(join(site, 'index.html'))
    expect(fileFor(site, '/assets/a%20b.js')).toBe(join(site, 'assets', 'a b.js'))
  })

  test.each([
    '/../secret',
    '/%2e%2e/secret',
    '/..%2fsecret',
    '/..%2fsite-beside/secret',
    '/link',
    '/assets',
    '/%00',
    '/%',
    '//secret',
    '/none',
  ])('serves nothing for %s', (url) => {
    expect(fileFor(site, url)).toBeNull()
  })
})

describe('the build cache', () => {
  const folder = at('tests', '.work', 'cache')
  const outputs = ['tests/.work/cache/made/a.wasm', 'tests/.work/cache/made/a.js']
  const write = (text: string) => {
    for (const file of outputs) writeFileSync(at(file), `${file} ${text}`)
  }
  const read = () => outputs.map((file) => readFileSync(at(file), 'utf8').split(' ')[1])
  const entry = (key: string) => ({ name: 'a', key, outputs })

  beforeEach(() => {
    mkdirSync(join(folder, 'made'), { recursive: true })
    vi.stubEnv('TRIMTAB_CACHE', join(folder, 'kept'))
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })

  test('restores the outputs of a known key, and nothing for an unknown one', () => {
    write('first')
    keep(entry('one'))
    write('second')
    keep(entry('two'))
    expect(restore(entry('two'))).toBe('unchanged')
    expect(restore(entry('one'))).toBe('restored')
    expect(read()).toEqual(['first', 'first'])
    expect(restore(entry('three'))).toBeUndefined()
    expect(read()).toEqual(['first', 'first'])
  })

  test('restores deleted and edited outputs', () => {
    write('built')
    keep(entry('one'))
    rmSync(at(outputs[0] as string))
    writeFileSync(at(outputs[1] as string), 'x edited')
    expect(restore(entry('one'))).toBe('restored')
    expect(read()).toEqual(['built', 'built'])
  })

  test('restores nothing if an output was added', () => {
    write('built')
    keep({ ...entry('one'), outputs: outputs.slice(0, 1) })
    expect(restore(entry('one'))).toBeUndefined()
  })

  test('keeps the last four entries', () => {
    for (const key of ['one', 'two', 'three', 'four', 'five']) {
      write(key)
      keep(entry(key))
    }
    expect(readdirSync(join(folder, 'kept', 'a')).sort()).toEqual(['five', 'four', 'three', 'two'])
  })
})

test('importing a grammar that is not built says how to build it', async () => {
  const kind = { what: 'grammar', flag: (name: string) => `--outline=${name}` }
  const module = `data:text/javascript,${encodeURIComponent(moduleNotBuilt(kind, 'zig'))}`
  await expect(import(/* @vite-ignore */ module)).rejects.toThrow(
    'the grammar zig is not built yet: `npm run build -- --outline=zig` builds it',
  )
})

test('a terminated script also ends the processes that its scripts started', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-'))
  const note = join(folder, 'pid')
  const script = join(folder, 'script.mjs')
  const last = `require('fs').writeFileSync(${JSON.stringify(note)}, String(process.pid)); setInterval(() => {}, 1000)`
  writeFileSync(
    script,
    [
      `import { capture } from ${JSON.stringify(at('scripts', 'lib', 'run.mjs'))}`,
      'const inner = process.argv[2] === "inner"',
      `const own = inner ? ['-e', ${JSON.stringify(last)}] : [process.argv[1], 'inner']`,
      'await capture([process.execPath, ...own])',
      'console.log("went on")',
    ].join('\n'),
  )
  const outer = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  outer.stdout.on('data', (chunk) => {
    printed += chunk
  })
  await vi.waitFor(() => expect(readFileSync(note, 'utf8')).not.toBe(''), { timeout: 20_000 })
  outer.kill('SIGTERM')
  const [code] = await once(outer, 'close')
  expect(code).toBe(128 + 15)
  expect(printed).toBe('')
  const pid = Number(readFileSync(note, 'utf8'))
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 10_000 })
  rmSync(folder, { recursive: true })
})

test('scripts/setup refuses an unknown stage', () => {
  const { status, stderr } = spawnSync(at('scripts', 'setup'), ['nope'], { encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr).toBe('setup: cannot go on: there is no stage nope: it is start, build or test\n')
})

test('missingEntries returns lock file entries of the omitted platforms only', () => {
  const packages = {
    'node_modules/tool': {
      version: '2.0.0',
      dev: true,
      optionalDependencies: { '@tool/linux-x64-musl': '2.0.0', '@tool/win32-arm64': '2.0.0', here: '1.0.0' },
    },
    'node_modules/here': { version: '1.0.0', optional: true },
  }
  expect(missingEntries(packages)).toEqual({
    'node_modules/@tool/linux-x64-musl': {
      version: '2.0.0',
      cpu: ['x64'],
      dev: true,
      libc: ['musl'],
      optional: true,
      os: ['linux'],
    },
    'node_modules/@tool/win32-arm64': {
      version: '2.0.0',
      cpu: ['arm64'],
      dev: true,
      optional: true,
      os: ['win32'],
    },
  })
})

describe('imports of the benchmarks', () => {
  const files = readdirSync(at('benches')).filter((name) => name.endsWith('.js'))
  const importsOf = (file: string) =>
    [
      ...readFileSync(at('benches', file), 'utf8').matchAll(
        /\{([^{}]*)\} (?:from|= await import\() ?'\.\.\/(js\/dist\/[^']+)'/g,
      ),
    ].map(([, names, path]) => ({
      path: path as string,
      names: (names as string).split(',').flatMap((name) => name.trim().split(' as ')[0] || []),
    }))
  const imports = files.flatMap((file) => importsOf(file).map((each) => ({ file, ...each })))
  const rooms = JSON.parse(readFileSync(at('package.json'), 'utf8')).exports
  /** Modules of the entry points without their engine. */
  const bare = Object.values(rooms as Record<string, { types?: string; default?: string }>)
    .filter((target) => target.default?.includes('/entries/'))
    .map((target) => target.types?.replace('./', '').replace('.d.ts', '.js'))

  test('are found', () => expect(imports.length).toBeGreaterThan(20))

  test.each(imports)('$file: $names of $path exist', async ({ path, names }) => {
    expect(bare).not.toContain(path)
    const module = await import(at(path))
    expect(names.filter((name) => !(name in module))).toEqual([])
  })
})
