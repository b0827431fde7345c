import type { BlockFacts } from 'trimtab'
import { pretty } from '../../plain-text.js'
import type { History } from '../agent/history.js'
import { ansiSpans } from '../content/ansi.js'
import { type DiffLine, editDiff } from '../content/edit-diff.js'
import { numberedLines } from '../content/numbered-lines.js'
import { searchHits } from '../content/search-hits.js'
import { LongText } from './long-text.js'
import { ReadBody } from './read-body.js'

interface Props {
  readonly call: BlockFacts | null
  readonly result: BlockFacts | null
  readonly history: History
}

/** Shows a tool's arguments and result, by the kind of tool. */
export function ToolBody({ call, result, history }: Props) {
  const output = result === null ? '' : history.textOf(result)
  const args = call === null ? {} : history.argumentsOf(call)
  switch ((result ?? call)?.origin) {
    case 'shell':
      return <Shell command={call === null ? null : commandOf(args)} output={output} />
    case 'read':
      return result === null ? null : (
        <ReadBody result={result} output={output}>
          <LongText text={output}>{(part) => <Lines text={part} />}</LongText>
        </ReadBody>
      )
    case 'search':
    case 'list':
      return <LongText text={output}>{(part) => <Hits text={part} />}</LongText>
    case 'edit':
    case 'write':
      return <Edit args={args} output={output} isError={result?.isError === true} />
    default:
      return <Other args={call === null ? null : args} output={output} />
  }
}

type Arguments = Readonly<Record<string, unknown>> | string

function commandOf(args: Arguments): string {
  if (typeof args === 'string') return args
  const { command, cmd } = args
  const given = command ?? cmd
  return Array.isArray(given) ? given.join(' ') : typeof given === 'string' ? given : pretty(args)
}

function Shell({ command, output }: { command: string | null; output: string }) {
  return (
    <div class="terminal">
      {command === null ? null : (
        <pre class="command">
          <span aria-hidden="true">$ </span>
          {command}
        </pre>
      )}
      <LongText text={output}>
        {(part) => (
          <pre>
            {ansiSpans(part).map(({ text, classes }, at) =>
              classes === '' ? (
                text
              ) : (
                <span key={at} class={classes}>
                  {text}
                </span>
              ),
            )}
          </pre>
        )}
      </LongText>
    </div>
  )
}

function Lines({ text }: { text: string }) {
  return (
    <pre class="lines">
      {numberedLines(text).map(({ number, text: line }, at) => (
        <span key={at} class="line" data-number={number}>
          {line}
          {'\n'}
        </span>
      ))}
    </pre>
  )
}

function Hits({ text }: { text: string }) {
  return (
    <div class="hits">
      {searchHits(text).map(({ path, hits }, at) => (
        <div key={at} class="file-hits">
          {path === '' ? null : <p class="hit-path">{path}</p>}
          <pre class="lines">
            {hits.map((hit, index) => (
              <span key={index} class="line" data-number={hit.line}>
                {hit.text}
                {'\n'}
              </span>
            ))}
          </pre>
        </div>
      ))}
    </div>
  )
}

function Edit({ args, output, isError }: { args: Arguments; output: string; isError: boolean }) {
  const diff = typeof args === 'string' ? null : editDiff(args)
  return (
    <>
      {diff === null ? (
        <LongText text={pretty(args)}>{(part) => <pre>{part}</pre>}</LongText>
      ) : (
        <Diff lines={diff} />
      )}
      {output === '' ? null : (
        <p class={isError ? 'edit-said is-error' : 'edit-said'}>{output.slice(0, 400)}</p>
      )}
    </>
  )
}

/** Maximum number of lines shown of a diff. */
const DIFF_LINES = 200

function Diff({ lines }: { lines: readonly DiffLine[] }) {
  return (
    <pre class="diff">
      {lines.slice(0, DIFF_LINES).map(({ sign, text }, at) => (
        <span key={at} class="line" data-sign={sign}>
          <span class="sign">{sign}</span>
          {text}
          {'\n'}
        </span>
      ))}
      {lines.length > DIFF_LINES ? `… ${lines.length - DIFF_LINES} more lines` : ''}
    </pre>
  )
}

function Other({ args, output }: { args: Arguments | null; output: string }) {
  return (
    <>
      {args === null ? null : (
        <LongText text={pretty(args)}>{(part) => <pre class="arguments">{part}</pre>}</LongText>
      )}
      <LongText text={looksLikeJson(output) ? pretty(output) : output}>
        {(part) => <pre>{part}</pre>}
      </LongText>
    </>
  )
}

const looksLikeJson = (text: string) => /^\s*[[{]/.test(text) && text.length < 1_000_000
