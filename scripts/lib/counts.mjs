// Parses the numbers of passed, failed and skipped tests from each runner's report.

export const none = { passed: 0, failed: 0, skipped: 0 }

export function sum(counts) {
  const add = (a, b) => ({
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  })
  return counts.reduce(add, none)
}

/** Parses lines such as "test result: ok. 3 passed; 0 failed; 1 ignored; ..." of cargo test and wasm-bindgen-test. */
export function cargoCounts(output) {
  const lines = output.matchAll(/^test result: .*?(\d+) passed; (\d+) failed; (\d+) ignored/gm)
  return sum(
    [...lines].map(([, passed, failed, skipped]) => ({
      passed: +passed,
      failed: +failed,
      skipped: +skipped,
    })),
  )
}

/** Parses Vitest's JSON report. A file that could not be loaded has no tests and counts as one failure. */
export function vitestCounts(report) {
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** A command that failed although its tests passed (did not compile, crashed) counts as one failure. */
export function withExitCode(counts, code) {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
