/** One step of the scripted model: calls, or its final text. */
export interface Step {
  readonly reasoning?: string
  readonly say?: string
  readonly calls?: readonly { readonly name: string; readonly arguments: object }[]
}

/** The steps of a command, each as it is or made from the text of the last result. The last one has no call. */
export type Plan = readonly (Step | ((result: string) => Step))[]

interface Rule {
  readonly pattern: RegExp
  /** Whether the command ends with a text that is taken as it is; otherwise a full stop at its end is left out. */
  readonly isVerbatim?: boolean
  plan(groups: Readonly<Record<string, string>>): Plan
}

const call = (name: string, args: object) => ({ name, arguments: args })
const PATH = '(?<path>[\\w./@-]+)'

const isEmpty = (result: string) => result.startsWith('No matches')
const notFound = (text: string, path?: string): Step => ({
  say: path === undefined ? `No file has \`${text}\`.` : `There is no \`${text}\` in \`${path}\`.`,
})

const replacing = (path: string, from: string, to: string): Step => ({
  calls: [
    call('edit_file', {
      path,
      old_string: from,
      new_string: to,
      replace_all: true,
      intent: `Rename ${from} to ${to}`,
    }),
  ],
})

const RULES: readonly Rule[] = [
  {
    pattern: /\b(fix|mend|tour)\b/i,
    plan: () => FIX,
  },
  {
    pattern: /\blong log\b/i,
    plan: () => [
      {
        say: 'The log is long; here is all of it.',
        calls: [call('shell', { command: 'cat logs/build.log' })],
      },
      { say: 'That was `logs/build.log`. Ask for something else, and watch when it leaves the context.' },
    ],
  },
  {
    pattern: new RegExp(
      `^read (?:lines? )?(?<start>\\d+)(?:\\s*(?:-|–|to)\\s*(?<end>\\d+)) (?:of|in|from) ${PATH}$`,
      'i',
    ),
    plan: ({ path = '', start = '1', end = start }) => [
      { calls: [call('read_lines', { path, start: Number(start), end: Number(end) })] },
      { say: `Those are lines ${start} to ${end} of \`${path}\`.` },
    ],
  },
  {
    pattern: new RegExp(`^(?<before>once,? )?(?:read|show|open) ${PATH}(?<after> once)?$`, 'i'),
    plan: ({ path = '', before, after }) => {
      const isOnce = (before ?? after) !== undefined
      return [
        { calls: [call('read_file', { file_paths: [path], ...(isOnce ? { ephemeral: true } : {}) })] },
        {
          say: isOnce
            ? `I have read \`${path}\` once: its content leaves the context now that the turn is over.`
            : `I have read \`${path}\`.`,
        },
      ]
    },
  },
  {
    pattern: new RegExp(`^rename (?<from>\\S+) to (?<to>\\S+) in ${PATH}$`, 'i'),
    plan: ({ path = '', from = '', to = '' }) => [
      {
        reasoning: `I should see every place of ${from} first.`,
        calls: [call('search', { pattern: from, path })],
      },
      (result) => (isEmpty(result) ? notFound(from, path) : replacing(path, from, to)),
      { say: `\`${from}\` is \`${to}\` in \`${path}\` now.` },
    ],
  },
  {
    pattern: /^(?:search|find|grep)(?: for)? (?<text>.+?)(?: in (?<path>[\w./@-]+))?$/i,
    plan: ({ text = '', path }) => [
      { calls: [call('search', { pattern: text, ...(path === undefined ? {} : { path }) })] },
      (result) => (isEmpty(result) ? notFound(text, path) : { say: `Those are the places of \`${text}\`.` }),
    ],
  },
  {
    pattern: /^(?:list|ls)(?: files)?(?: in (?<path>[\w./@-]+))?$/i,
    plan: ({ path }) => [
      { calls: [call('list_files', { recursive: true, ...(path === undefined ? {} : { path }) })] },
      { say: 'Those are the files.' },
    ],
  },
  {
    pattern: new RegExp(`^(?:write|create) ${PATH}(?::|\\s+with)\\s*(?<text>[\\s\\S]+)$`, 'i'),
    isVerbatim: true,
    plan: ({ path = '', text = '' }) => [
      { calls: [call('write_file', { path, content: `${text}\n` })] },
      { say: `\`${path}\` is written.` },
    ],
  },
  {
    pattern: new RegExp(`^append (?<text>[\\s\\S]+) to ${PATH}$`, 'i'),
    plan: ({ path = '', text = '' }) => [
      { calls: [call('append_to_file', { path, content: `\n${text}\n` })] },
      { say: `\`${path}\` has one more line.` },
    ],
  },
  {
    pattern: /^recall (?<reference>[0-9a-f]{6,})$/i,
    plan: ({ reference = '' }) => [
      { calls: [call('recall', { reference })] },
      { say: 'That is the original.' },
    ],
  },
  {
    pattern: /^run (?<command>[\s\S]+)$/i,
    plan: ({ command = '' }) => [
      { calls: [call('shell', { command })] },
      { say: `That is what \`${command}\` printed.` },
    ],
  },
]

/** Commands of the scripted model that the page suggests. */
export const EXAMPLES = [
  'Fix the failing tests',
  'Run the long log',
  'Rename nextHighWater to nextHigh in src/app.ts',
  'Read src/stations.ts once',
] as const

const HELP: Plan = [
  {
    say: `I am a script, not a language model: I understand plain commands and really run them on the files of this page.

- \`read src/app.ts\`, \`read 3-9 of src/zone.ts\`, \`read src/stations.ts once\`
- \`list files\`, \`search dayOf\`
- \`rename nextHighWater to nextHigh in src/app.ts\`
- \`write notes.md: text\`, \`append text to notes.md\`
- \`run tail -n 20 logs/build.log\`, \`run the long log\`
- \`fix the failing tests\`

For real answers, choose a model below.`,
  },
]

/**
 * Finds the cause of two failing tests and fixes it. The long outputs come first, so that there is something to trim.
 */
const FIX: Plan = [
  {
    reasoning: 'Two tests are said to fail. First what there is, and what they print.',
    say: 'I look at the project and at what the tests print.',
    calls: [call('list_files', { recursive: true }), call('shell', { command: 'cat logs/test.log' })],
  },
  {
    reasoning: 'The day is one too early. The build may have said something about it.',
    calls: [call('shell', { command: 'cat logs/build.log' })],
  },
  {
    reasoning: 'A warning names dayOf() in src/zone.ts. Now the code.',
    say: 'The build log warns of `dayOf()` in `src/zone.ts`.',
    calls: [
      call('read_file', { file_paths: ['src/zone.ts'] }),
      call('read_file', { file_paths: ['src/tides.ts'] }),
    ],
  },
  {
    reasoning: 'What the tests expect, and who else uses dayOf().',
    calls: [
      call('read_file', { file_paths: ['test/tides.test.ts'] }),
      call('search', { pattern: 'dayOf' }),
      call('read_file', { file_paths: ['src/stations.ts'] }),
    ],
  },
  {
    reasoning:
      'East of Greenwich the local clock is ahead: local time is the moment plus the offset. The code takes it away.',
    say: 'East of Greenwich local clocks are *ahead*, so the offset must be added:',
    calls: [
      call('edit_file', {
        path: 'src/zone.ts',
        old_string: 'new Date(now.getTime() - offset * HOUR)',
        new_string: 'new Date(now.getTime() + offset * HOUR)',
        intent: 'The local clock is ahead of UTC east of Greenwich',
      }),
    ],
  },
  { calls: [call('read_lines', { path: 'src/zone.ts', start: 3, end: 8 })] },
  {
    calls: [
      call('append_to_file', {
        path: 'README.md',
        content: '\nOffsets are hours east of Greenwich: local time is UTC plus the offset.\n',
        intent: 'Says which way offsets go',
      }),
    ],
  },
  {
    say: `Found and mended: \`dayOf()\` subtracted the offset where it must be added, so that shortly after local midnight it was still yesterday.

| file | change |
| --- | --- |
| \`src/zone.ts\` | adds the offset |
| \`README.md\` | says which way offsets go |

The long outputs have been read by now. When they are trimmed, a ✂ row above says so.`,
  },
]

/** Returns the plan for a message of the user; the help text if it matches no command. */
export function planOf(text: string): Plan {
  const whole = text.trim()
  const command = whole.replace(/[.!]$/, '')
  for (const { pattern, isVerbatim, plan } of RULES) {
    const match = pattern.exec(isVerbatim === true ? whole : command)
    if (match !== null) return plan(match.groups ?? {})
  }
  return HELP
}
