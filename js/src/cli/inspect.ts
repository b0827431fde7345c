import { type Output, ofSessions, onlyFile, parse } from './arguments.js'
import { explained } from './explain.js'
import { Failure } from './failure.js'
import { INSPECT_HELP } from './help.js'
import { nameOf } from './input.js'
import { inspectText } from './inspect-text.js'
import { namedPolicy } from './policies.js'
import { DEFAULT_POLICY, presetNames } from './presets.js'
import { withProgress } from './progress.js'
import { printed } from './render.js'
import { inspectSession, openSession, projectSession, type SessionOptions } from './session.js'
import { type Summary, summarise } from './summary.js'

const OPTIONS = {
  ...ofSessions,
  json: { type: 'boolean' },
  policy: { type: 'string', multiple: true },
  explain: { type: 'string' },
} as const

/** `trimtab inspect`: with the named presets and policy files, or with all presets; or `--explain`. */
export async function run(args: string[]): Promise<Output> {
  const { values, positionals } = parse('inspect', args, OPTIONS)
  if (values.help === true) return { stdout: INSPECT_HELP }
  const { explain, json = false, policy = [], 'full-history': fullHistory = false } = values
  const file = onlyFile('inspect', positionals)
  if (explain === undefined) return printed(json, await inspected(file, policy, { fullHistory }), inspectText)
  const [named = DEFAULT_POLICY, second] = policy
  if (second !== undefined) throw new Failure('--explain takes one policy; see trimtab inspect --help')
  return explained({ file, index: explain, policy: named, json, fullHistory })
}

function inspected(file: string, policies: readonly string[], options: SessionOptions): Promise<Summary> {
  const named = (policies.length === 0 ? presetNames : policies).map((one) => namedPolicy(one))
  return withProgress(async (progress) => {
    const transcript = await openSession(file, options, progress)
    const steps = named.length + 1
    progress.update('inspecting', 0, steps)
    const inspection = inspectSession(file, transcript)
    const outcomes = named.map((policy, index) => {
      progress.update('inspecting', index + 1, steps)
      const { report } = projectSession(file, transcript, policy.policy)
      return { named: policy, report }
    })
    return summarise(nameOf(file), transcript, inspection, outcomes)
  })
}
