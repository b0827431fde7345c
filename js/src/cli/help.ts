import { FORMATS } from '../base/format.js'
import { PRICES } from '../prices/prices.js'
import { presetNames } from './presets.js'
import { wrapped } from './render.js'

const POLICY = `  POLICY is one of
    ${wrapped(`${presetNames.join(', ')},`, 76).join('\n    ')}
  or the path of a JSON file: a policy's settings, agents.config.json or
  ContextConfig.`

export const HELP = `trimtab: what an agent's model sees, and what could be left out

Usage
  trimtab inspect FILE [--json] [--policy POLICY]... [--explain INDEX]
  trimtab project FILE [--policy POLICY] [--to FORMAT] [--out FILE]
  trimtab simulate FILE... [--policy POLICY]... [--window N] [--ttl SECONDS]
                   [--prices PRICES] [--json] [--svg FILE]
  trimtab outline PATH... [--lines N | --tokens N] [--language NAME]
  trimtab read PATH [--offset N] [--limit N] [--column N]
                   [--mode MODE] [--about TEXT] [--expand SECTION]
  trimtab tune FILE... [--window N] [--keep PERCENT] [--ttl SECONDS]
                   [--prices PRICES] [--json] [--svg FILE]
  trimtab why FILE [--most N] [--ttl SECONDS] [--prices PRICES] [--json]
  trimtab init
  trimtab --help | --version        trimtab COMMAND --help

FILE is a session of Claude Code, Codex, pi, SWE-agent or trimtab's fileStore,
or messages as they are sent to a provider: OpenAI (Chat Completions or
Responses), Anthropic, Gemini, the AI SDK or LangChain. They are a list, or the
"messages", "contents" or "input" of an object. "-" reads standard input. The
kind is seen from what is in the file, not from its name.
`

export const INSPECT_HELP = `trimtab inspect FILE: what a session spends its tokens on

  --json            the same as JSON: file, kind, format, title, messages,
                    steps, tokenEstimate, tokens, reportedTokens, toolResults,
                    largestResults, repeatedReads, supersededReads,
                    unansweredCalls, orphanResults, skipped, policies
  --policy POLICY   show what this policy would leave; can be given several
                    times (default: all presets)
  --explain INDEX   why each block of message INDEX, counted from 0, is kept or
                    edited under the policy (default: smart-retention)
  --full-history    from the session's start, across compactions
                    (default: what the model sees now)

${POLICY}

Tokens are estimates: UTF-8 bytes / 3.5.
`

export const PROJECT_HELP = `trimtab project FILE: the messages as a policy would send them, as JSON

  --policy POLICY   what to leave out (default: rolling-context)
  --to FORMAT       the messages in another format (default: their own), one of
                    ${FORMATS.slice(0, 4).join(', ')},
                    ${FORMATS.slice(4).join(', ')}
  --out FILE        write there, whole or not at all, not to standard output
  --with-system     print {"system", "messages"} instead of the list of messages
  --full-history    from the session's start, across compactions

${POLICY}

What a conversion cannot carry over is said on standard error.
`

const PRICE_NAMES = Object.keys(PRICES)

const BILLING = `  --prices PRICES   what tokens cost (default: anthropic): a model's id, or one of
                    ${PRICE_NAMES.slice(0, 4).join(', ')},
                    ${PRICE_NAMES.slice(4).join(', ')}
  --ttl SECONDS     how long the prompt cache lives (default: that of PRICES)`

export const SIMULATE_HELP = `trimtab simulate FILE...: what each policy would have cost and kept

  --policy POLICY   what to try; can be given several times (default: all
                    presets)
${BILLING}
  --window N        count the requests over so many tokens
  --json            the same as JSON, with the size of every request
  --svg FILE        also draw it: cost against evidence, and the context's size
  --full-history    from the session's start, across compactions

${POLICY}

Goes through the session request by request. What a policy leaves out is
evidence lost where a later step relied on it: the text an edit replaced, the
newest read of a file that was named again, the output of a failure whose
command was run again. Several files are several sessions, summed up.
`

export const OUTLINE_HELP = `trimtab outline PATH...: what is in source files, with line numbers

  --lines N         at most N lines, folding deeper until it fits
  --tokens N        at most N tokens (estimates: UTF-8 bytes / 3.5)
                    (default: a quarter of the file, and all of its top level)
  --language NAME   the language (default: by the name, or the first line)
  --json            a line of JSON for each file: path, text, sections,
                    totalLines, shownLines, complete, language, malformed

Imports, types, signatures and first lines of comments are shown; bodies are
folded. A language that is not known is outlined by its indentation.
"-" reads standard input.
`

export const READ_HELP = `trimtab read PATH: a file as a model reads it

  --offset N        the first line, from 1; -N counts from the end
  --limit N         how many lines (default: all)
  --column N        the first character of the first line, from 1: to read on
                    in a line that is shown in part
  --mode MODE       full; structure: imports, types, signatures; curated: what
                    --about names is unfolded; auto: full up to 100 lines
                    (default: full, with --about auto)
  --about TEXT      what you want to know of the file
  --expand SECTION  shows a folded section: its name, or a line in it

"-" reads standard input.
`

export const TUNE_HELP = `trimtab tune FILE...: the policy that would have cost your sessions least

  --window N        the model's context window in tokens (default: 200,000);
                    a policy that exceeds it is not recommended
  --keep PERCENT    the least of the evidence to keep in view (default: 95)
${BILLING}
  --json            the same as JSON, with every candidate
  --svg FILE        also draw it: all candidates, and the frontier
  --full-history    from each session's start, across compactions

Tries the presets with some settings each (trimtab simulate has the measures),
and recommends the cheapest that keeps enough of what later steps relied on.
Every session is left out once, to see what the others would choose for it.
With few sessions it says why not to trust it.
`

export const WHY_HELP = `trimtab why FILE: what was not read from the prompt cache, and why

  --most N          list at most N requests (default: 10), worst first
  --prices PRICES   what tokens cost (default: those of the file's model): a
                    model's id, or a provider as of trimtab simulate
  --ttl SECONDS     how long the prompt cache lives (default: what the requests
                    ask for, or that of PRICES)
  --json            the same as JSON, with every request

For each request the tokens that had been sent before and were not read, what
they cost, and the cause: the model, tools, system prompt, settings or a message
changed (which, and who does that), the cache expired, the session was resumed,
the prompt was too short or not marked to be cached.

FILE is a log of calls of a provider's API ({request, response} for each, a line
or an entry; or the requests alone): its bodies are compared. Or it is a session
whose answers have the provider's usage: then causes are concluded from that,
times and models.
`

export const INIT_HELP = `trimtab init: the lines that put trimtab into your agent

Reads package.json of this folder and prints what to add for the framework in
it: the AI SDK, LangChain, or a client of OpenAI, Anthropic or Google.
Nothing is written.
`
