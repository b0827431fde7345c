import type { BlockFacts } from 'trimtab'
import { pretty } from '../../plain-text.js'
import type { History } from '../agent/history.js'
import { type AnsiSpan, ansiSpans } from '../content/ansi.js'
import type { DiffLine } from '../content/edit-diff.js'
import { diffOf } from '../content/known-diffs.js'
import { numberedLines } from '../content/numbered-lines.js'
import { shortened } from '../content/portion.js'
import { searchHits } from '../content/search-hits.js'
import { ESCAPE, readable } from '../content/terminal.js'
import { languageOf } from '../highlight/highlighting.js'
import type { Piece } from '../highlight/tokens.js'
import { Code, Pieces, useCodeLines } from './code.js'
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
  const paths = (call?.files.length ? call : result)?.files.map(({ path }) => path) ?? []
  // With several files in one text, it is unknown where each starts.
  const language = paths.length === 1 ? languageOf(paths[0]) : ''
  switch ((result ?? call)?.origin) {
    case 'shell':
      return <Shell command={call === null ? null : commandOf(args)} output={output} />
    case 'read':
      return result === null ? null : (
        <ReadBody result={result} output={output}>
          <LongText text={output}>{(part) => <Lines text={part} language={language} />}</LongText>
        </ReadBody>
      )
    case 'search':
    case 'list':
      return <LongText text={output}>{(part) => <Hits text={part} />}</LongText>
    case 'edit':
    case 'write':
      return (
        <Edit
          args={args}
          diff={call === null ? null : diffOf(call, history)}
          output={output}
          isError={result?.isError === true}
          language={language}
        />
      )
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

/** Longer commands are highlighted up to here, in characters. */
const COMMAND_COLORED = 2000

function Shell({ command, output }: { command: string | null; output: string }) {
  return (
    <div class="terminal">
      {command === null ? null : (
        <LongText text={command}>
          {(part) => (
            <pre class="command">
              <span aria-hidden="true">$ </span>
              <Code text={readable(part.slice(0, COMMAND_COLORED))} language="bash" />
              {readable(part.slice(COMMAND_COLORED))}
            </pre>
          )}
        </LongText>
      )}
      <LongText text={output}>
        {(part) => (
          <pre>
            <Spans spans={ansiSpans(part)} />
          </pre>
        )}
      </LongText>
    </div>
  )
}

/** Terminal output: its colours, without its escapes. */
function Spans({ spans }: { spans: readonly AnsiSpan[] }) {
  return (
    <>
      {spans.map(({ text, classes }, at) =>
        classes === '' ? (
          text
        ) : (
          <span key={at} class={classes}>
            {text}
          </span>
        ),
      )}
    </>
  )
}

function Lines({ text, language }: { text: string; language: string }) {
  const lines = numberedLines(text)
  // Lines without a number are not part of the file.
  const code = lines.filter(({ number }) => number !== '').map(({ text: line }) => line)
  const colored = useCodeLines(code.join('\n'), language).values()
  return (
    <pre class="lines">
      {lines.map(({ number, text: line }, at) => (
        <span key={at} class="line" data-number={number}>
          <Line
            text={line}
            pieces={(number === '' ? null : colored.next().value) ?? [{ text: line, kind: null }]}
          />
          {'\n'}
        </span>
      ))}
    </pre>
  )
}

/** A line of a file; one of a log has the colours of the terminal that it was written for. */
function Line({ text, pieces }: { text: string; pieces: readonly Piece[] }) {
  return text.includes(ESCAPE) ? (
    <Spans spans={ansiSpans(text.replace(/\r$/, ''))} />
  ) : (
    <Pieces pieces={pieces} />
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
                <Spans spans={hit.spans} />
                {'\n'}
              </span>
            ))}
          </pre>
        </div>
      ))}
    </div>
  )
}

interface EditProps {
  readonly args: Arguments
  readonly diff: readonly DiffLine[] | null
  readonly output: string
  readonly isError: boolean
  readonly language: string
}

function Edit({ args, diff, output, isError, language }: EditProps) {
  return (
    <>
      {diff === null ? (
        <LongText text={pretty(args)}>{(part) => <pre>{readable(part)}</pre>}</LongText>
      ) : (
        <Diff lines={diff} language={language} />
      )}
      {output === '' ? null : (
        <p class={isError ? 'edit-said is-error' : 'edit-said'}>{shortened(output, 400)}</p>
      )}
    </>
  )
}

/** Maximum number of lines shown of a diff. */
const DIFF_LINES = 200

function Diff({ lines, language }: { lines: readonly DiffLine[]; language: string }) {
  const listed = lines.slice(0, DIFF_LINES).map(({ sign, text }) => ({ sign, text: shortened(text) }))
  const side = (other: DiffLine['sign']) =>
    listed.flatMap(({ sign, text }) => (sign === other ? [] : [text])).join('\n')
  // Each side is highlighted separately, as only one side is valid code.
  const before = useCodeLines(side('+'), language).values()
  const after = useCodeLines(side('-'), language).values()
  return (
    <pre class="diff">
      {listed.map(({ sign }, at) => (
        <span key={at} class="line" data-sign={sign}>
          <span class="sign">{sign}</span>
          <Pieces pieces={nextPieces(sign, before, after)} />
          {'\n'}
        </span>
      ))}
      {lines.length > DIFF_LINES ? `… ${lines.length - DIFF_LINES} more lines` : ''}
    </pre>
  )
}

type ColoredLines = Iterator<readonly Piece[], undefined>

/** Advances the sides that a line of a diff belongs to, and returns its pieces. */
function nextPieces(sign: DiffLine['sign'], before: ColoredLines, after: ColoredLines): readonly Piece[] {
  const old = sign === '+' ? undefined : before.next().value
  return (sign === '-' ? old : after.next().value) ?? []
}

function Other({ args, output }: { args: Arguments | null; output: string }) {
  const isJson = looksLikeJson(output)
  return (
    <>
      {args === null ? null : (
        <LongText text={pretty(args)}>
          {(part) => (
            <pre class="arguments">
              <Code text={part} language={typeof args === 'string' ? '' : 'json'} />
            </pre>
          )}
        </LongText>
      )}
      <LongText text={isJson ? pretty(output) : output}>
        {(part) => (
          <pre>{isJson ? <Code text={part} language="json" /> : <Spans spans={ansiSpans(part)} />}</pre>
        )}
      </LongText>
    </>
  )
}

const looksLikeJson = (text: string) => /^\s*[[{]/.test(text) && text.length < 1_000_000
