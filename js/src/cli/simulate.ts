import { combineSimulations, type Simulation, simulate, simulationPicture } from '../money/index.js'
import { type Output, parse, someFiles } from './arguments.js'
import { SIMULATE_HELP } from './help.js'
import { namedPolicy } from './policies.js'
import { presetNames } from './presets.js'
import { ofReplays, replay, replaySettings, sessionToReplay } from './replay.js'
import { naming } from './session.js'
import { simulateText } from './simulate-text.js'

/** `trimtab simulate`: with the named presets and policy files, or with all presets. */
export async function run(args: string[]): Promise<Output> {
  const options = { ...ofReplays, policy: { type: 'string', multiple: true } } as const
  const { values, positionals } = parse('simulate', args, options)
  if (values.help === true) return { stdout: SIMULATE_HELP }
  const paths = someFiles('simulate', positionals)
  const settings = replaySettings(values)
  const { prices, ttl: cacheSeconds = prices.cacheSeconds } = settings
  const named = (values.policy ?? presetNames).map((one) => namedPolicy(one, { ...prices, cacheSeconds }))
  const policies = Object.fromEntries(named.map(({ name, policy }) => [name, policy]))
  return replay(paths, values, {
    async run(progress) {
      const simulations: Simulation[] = []
      for (const path of paths) {
        const { messages, ...beside } = await sessionToReplay(path, values, progress)
        const onProgress = (done: number): void =>
          progress.update('replaying', simulations.length + done, paths.length)
        const simulated = () => simulate(messages, policies, { ...settings, ...beside, onProgress })
        simulations.push(naming(() => path, simulated))
      }
      return combineSimulations(simulations)
    },
    picture: simulationPicture,
    text: simulateText,
  })
}
