import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { missingEntries } from '../scripts/complete-lock.mjs'
import { cargoCounts, summaryLine, vitestCounts, withExitCode } from '../scripts/lib/counts.mjs'
import { fileFor } from '../scripts/lib/serve.mjs'

describe('the numbers of a test run', () => {
  test('are added up over the binaries that cargo runs', () => {
    const output = [
      'test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s',
      'test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out',
      'test result: ok. 4 passed; 0 failed; 0 ignored; 0 filtered out; finished in 0.02s',
    ].join('\n')
    expect(cargoCounts(output)).toEqual({ passed: 19, failed: 2, skipped: 1 })
  })

  test('have a failure for a file that could not be loaded', () => {
    const testResults = [
      { status: 'failed', assertionResults: [] },
      { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] },
      { status: 'passed', assertionResults: [{ status: 'passed' }] },
    ]
    const report = { testResults, numPassedTests: 2, numFailedTests: 1, numPendingTests: 1, numTodoTests: 0 }
    expect(vitestCounts(report)).toEqual({ passed: 2, failed: 2, skipped: 1 })
  })

  test('have a failure for a command that failed without a failing test', () => {
    const counts = { passed: 3, failed: 0, skipped: 0 }
    expect(withExitCode(counts, 101).failed).toBe(1)
    expect(withExitCode(counts, 0).failed).toBe(0)
    expect(withExitCode({ ...counts, failed: 2 }, 1).failed).toBe(2)
  })

  test('are the last line, which names skipped tests only where there are some', () => {
    expect(summaryLine({ passed: 5, failed: 0, skipped: 0 })).toBe('5 passed, 0 failed')
    expect(summaryLine({ passed: 5, failed: 1, skipped: 2 })).toBe('5 passed, 1 failed, 2 skipped')
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

  test('finds files, and the index of a folder', () => {
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
  ])('gives nothing for %s', (url) => {
    expect(fileFor(site, url)).toBeNull()
  })
})

test('the lock file gets entries for the platforms that npm left out, and no others', () => {
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
