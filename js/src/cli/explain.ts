import type { BlockReport } from '../index.js'
import { Failure } from './failure.js'
import { nameOf } from './input.js'
import { namedPolicy } from './policies.js'
import { Progress } from './progress.js'
import { type Column, paint, type Screen, screenOf, table } from './render.js'
import { openSession, projectSession } from './session.js'
import { oneLine, tokens } from './text.js'

export interface ExplainArguments {
  file: string
  /** Position of the message, as typed. */
  index: string
  policy: string
  json: boolean
  fullHistory: boolean
}

/** Output of `trimtab inspect --explain`: why each block of a message is kept or edited. */
export async function explainCommand(args: ExplainArguments): Promise<string> {
  const { file, policy, json, fullHistory } = args
  const progress = new Progress()
  try {
    const transcript = await openSession(file, { fullHistory }, progress)
    const index = position(args.index, transcript.messages.length)
    const named = namedPolicy(policy)
    const blocks = projectSession(file, transcript, named.policy).report.explain(index)
    if (json) return `${JSON.stringify({ file: nameOf(file), message: index, policy, blocks }, null, 2)}\n`
    const screen = screenOf(process.stdout, process.env)
    const title = paint(`Message ${index} under ${oneLine(policy)}`, 'bold', screen)
    return `${[title, ...explanation(blocks, screen)].join('\n')}\n`
  } finally {
    progress.clear()
  }
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
  const columns: Column[] = [
    { title: 'block', align: 'right' },
    { title: 'what' },
    { title: 'tokens', align: 'right' },
    { title: 'now', align: 'right' },
    { title: 'why', flexible: true, wrap: true },
  ]
  const rows = blocks.map(({ block, kind, tool, pass, reason, tokensBefore, tokensAfter }) => [
    `${block}`,
    tool === null ? kind : `${kind} ${oneLine(tool).slice(0, 20)}`,
    tokens(tokensBefore),
    pass === null ? 'kept' : tokens(tokensAfter),
    pass === null ? reason : `${pass}: ${reason}`,
  ])
  return table(columns, rows, screen)
}
