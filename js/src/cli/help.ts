import { FORMATS } from '../base/format.js'
import { PRICES } from '../prices/prices.js'
import { DEFAULT_POLICY, presetNames } from './presets.js'
import { wrapped } from './render.js'

const POLICY = `  POLICY is one of
    ${wrapped(`${presetNames.join(', ')},`, 76).join('\n    ')}
  or the path of a JSON file: a policy's settings, agents.config.json or
  ContextConfig.`

/** Arguments and summary of each command. */
const COMMANDS = {
  inspect: ['FILE', 'shows what a session uses its tokens for'],
  project: ['FILE', 'prints the view that a policy makes, as JSON'],
  simulate: ['FILE...', 'shows what each policy would have cost and kept'],
  tune: ['FILE...', 'finds the policy that would have cost your sessions least'],
  why: ['FILE', 'shows what was not read from the prompt cache, and why'],
  outline: ['PATH...', 'prints the outline of source files'],
  read: ['PATH', 'prints a file as a model sees it'],
  init: ['', 'prints the lines that add trimtab to your agent'],
} as const

type Command = keyof typeof COMMANDS

const syntaxOf = (command: Command) => `${command} ${COMMANDS[command][0]}`.trimEnd()
/** First line of a command's help. */
const head = (command: Command) => `trimtab ${syntaxOf(command)}: ${COMMANDS[command][1]}`

const LIST = (Object.keys(COMMANDS) as Command[])
  .map((command) => `  ${syntaxOf(command).padEnd(17)} ${COMMANDS[command][1]}`)
  .join('\n')

export const HELP = `trimtab: shows what an agent's model sees, and what a policy would leave out

Usage: trimtab COMMAND [OPTION]...

${LIST}

  COMMAND --help    what it takes, and what its figures mean
  --version         the version of this package

FILE is a session of Claude Code, Codex, pi, SWE-agent or trimtab's fileStore,
or messages in the format of OpenAI (Chat Completions or Responses), Anthropic,
Gemini, the AI SDK or LangChain: a list, or the field "messages", "contents" or
"input" of an object. The kind is detected from the content, not from the name.
"-" reads standard input.
`

export const INSPECT_HELP = `${head('inspect')}

  --json            print JSON: file, kind, format, title, messages,
                    steps, tokenEstimate, tokens, reportedTokens, toolResults,
                    largestResults, repeatedReads, supersededReads,
                    fixed, unansweredCalls, orphanResults, skipped, policies
  --policy POLICY   show what this policy would leave; can be given several
                    times (default: all presets)
  --explain INDEX   show why the policy keeps or edits each block of message
                    INDEX, counted from 0 (default policy: ${DEFAULT_POLICY})
  --full-history    read from the session's start, across compactions
                    (default: only what the model sees now)

${POLICY}

Tokens are estimates: UTF-8 bytes / 3.5.
`

export const PROJECT_HELP = `${head('project')}

  --policy POLICY   what to leave out (default: ${DEFAULT_POLICY})
  --to FORMAT       convert to another format (default: the file's), one of
                    ${FORMATS.slice(0, 4).join(', ')},
                    ${FORMATS.slice(4).join(', ')};
                    or write a session file: claude-code, codex, pi, swe-agent,
                    saved-session
  --out FILE        write to FILE instead of standard output, atomically
  --with-system     print {"system", "messages"} instead of the list of messages
  --full-history    read from the session's start, across compactions

${POLICY}

Parts that cannot be converted are listed on standard error.
`

const PRICE_NAMES = Object.keys(PRICES)

const BILLING = `  --prices PRICES   token prices (default: anthropic): a model's id, or one of
                    ${PRICE_NAMES.slice(0, 4).join(', ')},
                    ${PRICE_NAMES.slice(4).join(', ')}
  --ttl SECONDS     how long the prompt cache lives (default: that of PRICES)`

export const SIMULATE_HELP = `${head('simulate')}

  --policy POLICY   policy to simulate; can be given several times (default:
                    all presets)
${BILLING}
  --window N        count the requests of more than N tokens
  --json            print JSON, with the size of every request
  --svg FILE        also draw charts: cost against evidence, context size
  --full-history    read from the session's start, across compactions

${POLICY}

Replays the session request by request. Evidence is content that a later step
relied on: text that an edit replaced, the newest read of a file that was named
again, the output of a failure whose command was run again. A policy that left
it out has lost it. Several files are treated as several sessions and summed.
cache-aware is made for PRICES and the life of their cache.
`

export const OUTLINE_HELP = `${head('outline')}

  --lines N         at most N lines; folds more until the outline fits
  --tokens N        at most N tokens (estimates: UTF-8 bytes / 3.5)
                    (default: a quarter of the file, and its top level up
                    to half of the file)
  --language NAME   the language (default: from the name, or the first line)
  --json            print one line of JSON per file: path, text, sections,
                    totalLines, shownLines, complete, language, malformed

Shows imports, types, signatures and the first lines of comments, with line
numbers; bodies are folded. Unknown languages are outlined by indentation.
"-" reads standard input.
`

export const READ_HELP = `${head('read')}

  --offset N        first line, from 1; -N counts from the end
  --limit N         number of lines (default: all)
  --column N        first character of the first line, from 1: continues a
                    line that was shown in part
  --mode MODE       full; structure: imports, types, signatures; curated:
                    structure plus what --about asks for; auto: full up to 100
                    lines, else curated or structure
                    (default: full, with --about auto)
  --about TEXT      what you want to know about the file (with --mode curated or
                    auto)
  --expand SECTION  show a folded section: its name, or a line in it

"-" reads standard input.
`

export const TUNE_HELP = `${head('tune')}

  --window N        the model's context window in tokens (default: 200,000);
                    a policy that exceeds it is not recommended
  --keep PERCENT    how much evidence must be kept, at least (default: 95)
${BILLING}
  --json            print JSON, with every candidate
  --svg FILE        also draw a chart: all candidates, and the frontier
  --full-history    read from each session's start, across compactions

Simulates the presets, each with several settings, and recommends the cheapest
one that keeps enough evidence (trimtab simulate explains it). As a
cross-validation, each session is left out once and the policy for it is chosen
from the others. Warns if there are too few sessions for a reliable answer.
`

export const WHY_HELP = `${head('why')}

  --most N          list at most N requests (default: 10), worst first
  --prices PRICES   token prices (default: those of the file's model): a
                    model's id, or a name that trimtab simulate takes
  --ttl SECONDS     how long the prompt cache lives (default: what the requests
                    ask for, or that of PRICES)
  --json            print JSON, with every request

For each request: the tokens that were sent before and not read from the cache,
their cost, and the cause. Causes are: the model, tools, system prompt, settings
or a message changed (which message, and by whom), the cache expired, the
session was resumed, the prompt was too short, or it was not marked for caching.

FILE is a log of API calls, with {request, response} or a request per line or
list entry: the request bodies are compared. Or it is a session with the
provider's usage: causes are then inferred from usage, times and models.
`

export const INIT_HELP = `${head('init')}

Reads package.json in this folder and prints the code to add for its framework:
the AI SDK, LangChain, OpenAI Agents, Mastra, TanStack AI, a client of OpenAI,
Anthropic or Google, or a plugin of opencode, pi, Cline, Copilot or the Claude
Agent SDK. Writes nothing.
`
