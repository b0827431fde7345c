import { nearest } from '../base/nearest.js'
import {
  combineSimulations,
  type DatedPrices,
  PRICES,
  pricedModels,
  pricesOf,
  priceWarning,
  type Simulation,
  simulate,
  simulationPicture,
} from '../money/index.js'
import { type Output, ofReplays, parse, type ReplayArguments, replayArguments } from './arguments.js'
import { Failure } from './failure.js'
import { SIMULATE_HELP } from './help.js'
import { nameOf } from './input.js'
import { namedPolicy } from './policies.js'
import { presetNames } from './presets.js'
import { Progress } from './progress.js'
import { screenOf } from './render.js'
import { naming, openSession } from './session.js'
import { simulateText } from './simulate-text.js'
import { writeWhole } from './write-whole.js'

export async function run(args: string[]): Promise<Output> {
  const options = { ...ofReplays, policy: { type: 'string', multiple: true } } as const
  const { values, positionals } = parse('simulate', args, options)
  if (values.help === true) return { stdout: SIMULATE_HELP }
  const stdout = await simulateCommand({
    ...replayArguments('simulate', values, positionals),
    policies: values.policy ?? [],
  })
  return { stdout }
}

export interface SimulateArguments extends ReplayArguments {
  /** Preset names or policy files; all presets if empty. */
  policies: readonly string[]
}

/** Output of `trimtab simulate`. */
export async function simulateCommand(args: SimulateArguments): Promise<string> {
  const named = (args.policies.length === 0 ? presetNames : args.policies).map(namedPolicy)
  const policies = Object.fromEntries(named.map(({ name, policy }) => [name, policy]))
  const settings = {
    prices: pricesNamed(args.prices ?? 'anthropic'),
    ...amount('window', args.window),
    ...amount('ttl', args.ttl),
  }
  const progress = new Progress()
  try {
    const simulations: Simulation[] = []
    for (const file of args.files) {
      const { messages, format, system, times } = await openSession(file, args, progress)
      const onProgress = (done: number): void =>
        progress.update('replaying', simulations.length + done, args.files.length)
      const beside = {
        ...(system === undefined ? {} : { system }),
        ...(times === undefined ? {} : { times }),
      }
      const replay = () => simulate(messages, policies, { ...settings, ...beside, format, onProgress })
      simulations.push(naming(() => nameOf(file), replay))
    }
    const result = combineSimulations(simulations)
    if (args.svg !== undefined) writeWhole('svg', args.svg, simulationPicture(result))
    const files = args.files.map(nameOf)
    return args.json
      ? `${JSON.stringify({ files, ...result }, null, 2)}\n`
      : simulateText(files, result, screenOf(process.stdout, process.env))
  } finally {
    progress.clear()
  }
}

/** Returns a row of `PRICES` by name, or the prices of a model. Warns on stderr if they are out of date. */
export function pricesNamed(name: string): DatedPrices {
  const prices = rowNamed(name)
  const warning = priceWarning(prices, Date.now())
  if (warning !== undefined) process.stderr.write(`trimtab: ${warning}\n`)
  return prices
}

function rowNamed(name: string): DatedPrices {
  if (Object.hasOwn(PRICES, name)) return PRICES[name as keyof typeof PRICES]
  try {
    return pricesOf(name)
  } catch {
    const near = nearest(name, [...Object.keys(PRICES), ...pricedModels])
    const advice = near === undefined ? '' : `; the nearest is ${near.replace(/\*$/, '')}`
    throw new Failure(
      `--prices ${name}: no such prices; there are ${Object.keys(PRICES).join(', ')}, and those of models by their ids${advice}`,
    )
  }
}

export function amount(option: 'window' | 'ttl', given: string | undefined): Record<string, number> {
  if (given === undefined) return {}
  const value = Number(given)
  const isAmount =
    given.trim() !== '' && Number.isFinite(value) && (option === 'ttl' ? value >= 0 : value > 0)
  if (isAmount) return { [option]: value }
  const allowed = option === 'ttl' ? 'a number of seconds from 0 on' : 'a number of tokens over 0'
  throw new Failure(`--${option} ${given}: must be ${allowed}`)
}
