import { nameOf } from './input.js'
import { inspectText } from './inspect-text.js'
import { namedPolicy, presetNames } from './policies.js'
import { Progress } from './progress.js'
import { screenOf } from './render.js'
import { inspectSession, openSession, projectSession } from './session.js'
import { summarise } from './summary.js'

export interface InspectArguments {
  file: string
  json: boolean
  /** Names or files; all presets when empty. */
  policies: readonly string[]
  fullHistory: boolean
}

/** What `trimtab inspect` prints. */
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
