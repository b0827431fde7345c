// The two timed operations: a step of a conversation, and the first view of a history. A rival has a name, a function
// that makes a view function for one conversation (`make`), and optionally a conversion of messages (`convert`).
import { play } from './history.js'
import { collectGarbage, processorTime, rotated } from './measure.js'

/** Number of consecutive steps of a rival: its garbage and cold caches then count as its own. */
const BLOCK = 10

const asTheyAre = (messages) => messages

/**
 * Repeatedly adds one message and makes the view: from half of the steps before the size to half after it. Every rival
 * has seen the messages before the first step.
 */
export function steadySteps(times, rivals, script, { count, steps }) {
  const all = play(script)
  const from = count - steps / 2
  const conversations = rivals.map(({ name, make, convert = asTheyAre }) => {
    const source = convert(all)
    return { name, source, messages: source.slice(0, from), view: make() }
  })
  for (const { view, messages } of conversations) view(messages)
  for (let round = 0; round < steps / BLOCK; round++) {
    for (const { name, source, messages, view } of rotated(conversations, round)) {
      for (let i = 0; i < BLOCK; i++) {
        messages.push(source[messages.length])
        times.measure(name, () => view(messages))
      }
    }
  }
}

/** Times the first view of an unseen history, in processor time: objects and strings are new for each rival. */
export async function firstSight(times, rivals, script, turn) {
  for (const { name, make, convert = asTheyAre } of rotated(rivals, turn)) {
    const messages = convert(play(script))
    const view = make()
    await collectGarbage()
    const begin = processorTime()
    view(messages)
    times.add(name, processorTime() - begin)
  }
}
