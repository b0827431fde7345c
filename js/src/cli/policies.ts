import { TrimtabError } from '../base/error.js'
import type { Policy } from '../generated/types.js'
import type { CachePrices } from '../policy/cache-aware.js'
import { loadPolicy } from '../policy/load-policy.js'
import { describeJsonFailure } from '../transcripts/json-failure.js'
import { Failure, fileReason } from './failure.js'
import { readText } from './open-file.js'
import { PRESETS, presetNames } from './presets.js'

export interface NamedPolicy {
  name: string
  policy: Policy
}

/**
 * Returns a preset by name, or a policy from a JSON file in any form that `loadPolicy` accepts.
 *
 * @param prices For presets that depend on them. Default: their own.
 */
export function namedPolicy(name: string, prices?: CachePrices): NamedPolicy {
  const preset = PRESETS.get(name)
  return { name, policy: preset === undefined ? policyFromFile(name) : preset(prices) }
}

function policyFromFile(file: string): Policy {
  const value = parse(file)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Failure(`${file}: a policy must be a JSON object of settings`)
  }
  try {
    const { policy, ignored } = loadPolicy(value)
    if (ignored.length > 0) process.stderr.write(`trimtab: ${file}: without effect: ${ignored.join(', ')}\n`)
    return policy
  } catch (error) {
    if (error instanceof TrimtabError) throw new Failure(`${file}: ${error.message}`)
    throw error
  }
}

function parse(file: string): unknown {
  let text: string
  try {
    text = readText(file)
  } catch (error) {
    if (error instanceof Failure) throw error
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Failure(`--policy ${file}: neither a preset (${presetNames.join(', ')}) nor a file`)
    throw new Failure(`${file}: ${fileReason(error)}`)
  }
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    const { line, reason } = describeJsonFailure(error, text, 1)
    throw new Failure(`${file}, line ${line}: ${reason}`)
  }
}
