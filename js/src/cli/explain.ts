import type { BlockReport } from '../index.js'
import type { Output } from './arguments.js'
import { Failure } from './failure.js'
import { nameOf } from './input.js'
import { namedPolicy } from './policies.js'
import { withProgress } from './progress.js'
import { type Column, paint, printed, right, type Screen, table } from './render.js'
import { openSession, projectSession } from './session.js'
import { oneLine, tokens } from './text.js'

interface Explain {
  file: string
  /** Position of the message, as typed. */
  index: string
  policy: string
  json: boolean
  fullHistory: boolean
}

/** Output of `trimtab inspect --explain`: why each block of a message is kept or edited. */
export function explained({ file, index: typed, policy, json, fullHistory }: Explain): Promise<Output> {
  return withProgress(async (progress) => {
    const transcript = await openSession(file, { fullHistory }, progress)
    const message = position(typed, transcript.messages.length)
    const named = namedPolicy(policy)
    const blocks = projectSession(file, transcript, named.policy).report.explain(message)
    return printed(json, { file: nameOf(file), message, policy, blocks }, (_, screen) => {
      const title = paint(`Message ${message} under ${oneLine(policy)}`, 'bold', screen)
      return `${[title, ...explanation(blocks, screen)].join('\n')}\n`
    })
  })
}

function position(text: string, length: number): number {
  const index = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (index < length) return index
  const allowed =
    length === 0 ? 'the session has no messages' : `messages are counted from 0 to ${length - 1}`
  throw new Failure(`--explain ${text}: ${allowed}`)
}

function explanation(blocks: readonly BlockReport[], screen: Screen): string[] {
  if (blocks.length === 0) return ['  It has no content.']
  const what = ({ kind, tool }: BlockReport): string =>
    tool === null ? kind : `${kind} ${oneLine(tool).slice(0, 20)}`
  const why = ({ pass, reason }: BlockReport): string => (pass === null ? reason : `${pass}: ${reason}`)
  const columns: Column<BlockReport>[] = [
    right('block', ({ block }) => `${block}`),
    { title: 'what', cell: what },
    right('tokens', ({ tokensBefore }) => tokens(tokensBefore)),
    right('now', ({ pass, tokensAfter }) => (pass === null ? 'kept' : tokens(tokensAfter))),
    { title: 'why', flexible: true, wrap: true, cell: why },
  ]
  return table(columns, blocks, screen)
}
