import { type Output, ofSessions, onlyFile, parse } from './arguments.js'
import { explainCommand } from './explain.js'
import { Failure } from './failure.js'
import { INSPECT_HELP } from './help.js'
import { nameOf } from './input.js'
import { inspectText } from './inspect-text.js'
import { namedPolicy } from './policies.js'
import { DEFAULT_POLICY, presetNames } from './presets.js'
import { Progress } from './progress.js'
import { screenOf } from './render.js'
import { inspectSession, openSession, projectSession } from './session.js'
import { summarise } from './summary.js'

export async function run(args: string[]): Promise<Output> {
  const options = {
    ...ofSessions,
    json: { type: 'boolean' },
    policy: { type: 'string', multiple: true },
    explain: { type: 'string' },
  } as const
  const { values, positionals } = parse('inspect', args, options)
  if (values.help === true) return { stdout: INSPECT_HELP }
  if (values.explain !== undefined) {
    const [policy = DEFAULT_POLICY, second] = values.policy ?? []
    if (second !== undefined) throw new Failure('--explain takes one policy; see trimtab inspect --help')
    const stdout = await explainCommand({
      file: onlyFile('inspect', positionals),
      index: values.explain,
      policy,
      json: values.json === true,
      fullHistory: values['full-history'] === true,
    })
    return { stdout }
  }
  const stdout = await inspectCommand({
    file: onlyFile('inspect', positionals),
    json: values.json === true,
    policies: values.policy ?? [],
    fullHistory: values['full-history'] === true,
  })
  return { stdout }
}

export interface InspectArguments {
  file: string
  json: boolean
  /** Preset names or policy files; all presets if empty. */
  policies: readonly string[]
  fullHistory: boolean
}

/** Output of `trimtab inspect`. */
export async function inspectCommand({
  file,
  json,
  policies,
  fullHistory,
}: InspectArguments): Promise<string> {
  const named = (policies.length === 0 ? presetNames : policies).map(namedPolicy)
  const progress = new Progress()
  try {
    const transcript = await openSession(file, { fullHistory }, progress)
    const steps = named.length + 1
    progress.update('inspecting', 0, steps)
    const inspection = inspectSession(file, transcript)
    const outcomes = named.map((policy, index) => {
      progress.update('inspecting', index + 1, steps)
      const { report } = projectSession(file, transcript, policy.policy)
      return { named: policy, report }
    })
    const summary = summarise(nameOf(file), transcript, inspection, outcomes)
    return json
      ? `${JSON.stringify(summary, null, 2)}\n`
      : inspectText(summary, screenOf(process.stdout, process.env))
  } finally {
    progress.clear()
  }
}
