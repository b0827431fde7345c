import { readsOnly } from './commands.js'
import type { ToolUse } from './tool-uses.js'

/** Whether a tool may have changed files that its call does not name. */
export function mayChangeAnything({ args, origin, path, result, tool }: ToolUse): boolean {
  if ((origin === 'read' || origin === 'search' || origin === 'list') && !doesMore(args)) return false
  if (origin === 'edit' || origin === 'write')
    return result?.isError !== true && (path === null || (TAKES_FOLDERS.test(tool) && !EXTENSION.test(path)))
  if (origin === 'other' || OTHER_SHELLS.test(tool)) return true
  return !commandsOf(args)?.every(readsOnly)
}

/** Tools that may be given a folder, with all files below it, unless their path ends like a file's. */
const TAKES_FOLDERS = /(?:delete|move)[_-]?file/i
const EXTENSION = /[^/]\.[a-z]\w*$/i

/**
 * Whether a tool that only looks by its name, as `find`, takes its command line, or replaces, deletes or writes. The
 * command of an editor is a word: `view`.
 */
const doesMore = (args: ToolUse['args']): boolean =>
  typeof args === 'string' ||
  Object.entries(args).some(([name, value]) => {
    if (name === 'command') return !isWord(value)
    if (SWITCHES.test(name)) return !isOff(value) && ![value].flat().every(areHarmless)
    // What is printed, or the file that it is written to: `content`, `a.ts`.
    if (name === 'output' || ACTION.test(name)) return typeof value === 'string' && !onlyLooks(value)
    return MORE.test(name) && !isOff(value)
  })
const isWord = (value: unknown): boolean => typeof value === 'string' && /^\w*$/.test(value)
const isOff = (value: unknown): boolean => value === false || value === null || value === undefined
const MORE = new RegExp(
  '^(?:cmd|script|arg[sv]?|arguments|exec(?:ute)?|delete|remove|replace(?:ment|_?with)?|replace_?all|rename|update' +
    '|edit|modify|insert|sub(?:stitute)?|codemod|transform|patch|move_?to|pipe(?:_?to)?|re_?write|write(?:_?to|_?back)?|(?:auto_?)?fix(?:_?all)?|apply(?:_?(?:all|fix(?:es)?|changes|edits))?' +
    '|in_?place|save(?:_?(?:to|as))?|out(?:put)?_?(?:file|path)|new_?(?:text|string|str|content|name))$',
  'i',
)
/** Arguments with options of a program, of which some run programs or write files: `--pre=rm`, `-exec`. */
const SWITCHES =
  /^(?:(?:extra_?|additional_?|other_?)?(?:flags|options|opts|switches|params)|(?:extra|additional|other)_?args)$/i
/** Whether a value has only options that choose what is found and how it is shown. */
const areHarmless = (value: unknown): boolean =>
  typeof value !== 'object' &&
  String(value)
    .split(/\s+/)
    .every((word) => HARMLESS.test(word))
const HARMLESS =
  /^(?:-{0,2}|-?[AaBCcEFgHhIilmnPqRrsUuvwxy0-9]{1,4}|\d+|(?:--)?(?:(?:ignore|smart)-case|case-(?:in)?sensitive|line-number|count|hidden|no-ignore|files-with(?:out)?-match(?:es)?|word-regexp|line-regexp|fixed-strings|(?:extended|perl)-regexp|invert-match|multiline|recursive|no-heading|(?:max-count|context|after-context|before-context|include|exclude|exclude-dir|glob|type)=[\w*.,/!-]+))$/

/** Arguments that name what a tool does, and values with which it only looks. Any other may change files. */
const ACTION = /^(?:action|mode|operation|op|method|sub_?command)$/i
const LOOKS = new RegExp(
  '^(?:search|find|grep|glob|list|ls|tree|read|view|show|get|look|open|in|at|to|go|with|by|of|only|all|r|rb' +
    '|text|binary|raw|plain|content|file|path|name|full|partial|summary|outline|structure|curated|line|slice' +
    '|range|head|tail|page|indentation|match|count|regexp?|literal|string|exact|fuzzy|keyword|semantic|hybrid' +
    '|auto|default|hover|reference|definition|implementation|document|workspace|symbol|type|stat|info' +
    '|diagnostic|incoming|outgoing|call)(?:e?s)?$',
  'i',
)
/** Whether all words of a value are those of looking: `files_with_matches`, `goToDefinition`. */
const onlyLooks = (value: string): boolean =>
  value.split(/[_\-. ]+|(?=[A-Z])/).every((word) => word === '' || LOOKS.test(word))

/** Shells whose quoting and escapes differ from POSIX, and input of a running program. */
const OTHER_SHELLS = /power_?shell|pwsh|(?:^|__)cmd(?:[._]exe)?$|stdin/i

/** Returns the commands that run, in order; `undefined` if the arguments do not determine them. */
function commandsOf(args: ToolUse['args']): readonly string[] | undefined {
  if (typeof args === 'string') return [args]
  const [command, ...others] = Object.entries(args).filter(([name]) => !BESIDE_A_COMMAND.has(name))
  if (command === undefined || others.length > 0) return undefined
  const [name, value] = command
  if (name === 'commands') return isListOfTexts(value) ? value : undefined
  if (name !== 'command' && name !== 'cmd') return undefined
  if (typeof value === 'string') return [value]
  if (!isListOfTexts(value)) return undefined
  // A host may also join the words for a shell. Plain ones mean the same there.
  return scriptIn(value) ?? (value.every((word) => PLAIN_WORD.test(word)) ? [value.join(' ')] : undefined)
}

const PLAIN_WORD = /^[\w@%+=:,./-]+$/

/** Returns the script that a shell is started with, as in `["bash", "-lc", "ls"]`. */
function scriptIn([shell = '', option = '', script, ...rest]: readonly string[]):
  | readonly string[]
  | undefined {
  const isShell = /^(?:\/bin\/)?(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(option)
  return isShell && script !== undefined && rest.length === 0 ? [script] : undefined
}

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string')

/** Arguments of shell tools that do not affect what runs. Any other may: input, more arguments, a file to write. */
const BESIDE_A_COMMAND: ReadonlySet<string> = new Set([
  ...['description', 'explanation', 'goal', 'justification', 'intent'],
  ...['timeout', 'timeout_ms', 'timeoutMs', 'yield_time_ms', 'max_output_tokens'],
  ...['cwd', 'workdir', 'working_directory', 'directory', 'dir_path', 'session_id', 'sessionId'],
  ...['run_in_background', 'is_background', 'isBackground', 'mode', 'login', 'tty'],
  ...['requires_approval', 'require_user_approval', 'with_escalated_permissions', 'sandbox_permissions'],
])

/** Whether what a tool that may change anything has started may go on after its result. */
export function keepsRunning({ args, origin, result, tool }: ToolUse): boolean {
  const isShell = origin !== 'other' || OTHER_SHELLS.test(tool)
  if (result !== undefined && STILL_RUNS.test(result.text.slice(0, HEAD_UNITS))) return true
  if (typeof args === 'string') return isShell && DETACHES.test(args)
  return Object.entries(args).some(
    ([name, value]) =>
      (BACKGROUND.test(name) && !isOff(value) && String(value) !== 'false') ||
      (isShell && [value].flat().some((text) => typeof text === 'string' && DETACHES.test(text))),
  )
}

const BACKGROUND = /^(?:run_?in_?background|(?:is_?)?background|detach(?:ed)?|is_?async|async)$/i
/** A single `&` between blanks, or at the end of a command, and programs that start others apart. */
const DETACHES =
  /(?<![&>|<\\])&(?:$|[ \t;)}'"\n])|[ \t)}'"]&(?![&>])|\b(?:nohup|setsid|disown|daemonize|coproc|Start-(?:Process|Job))\b|(?:^|[;&|(\n])[ \t]*(?:tmux|screen)[ \t]|\bstart \/b\b/i
/** What hosts answer for a command that they leave running. */
const STILL_RUNS =
  /\b(?:in (?:the )?background|background(?:ed)? with|still running|(?:process|session) running|running with (?:session|id|pid))/i
/** Units of a result in which a host says that. */
const HEAD_UNITS = 2000

/** Whether a result tells of a change by another program or the user, as hosts add it to any result. */
export const tellsOfChange = ({ result }: ToolUse): boolean =>
  result !== undefined && CHANGED.test(result.text)
const CHANGED =
  /\b(?:modified|changed)\b(?: since (?:read|it was read|last read))?,? (?:either )?by the user or by a linter\b|\b(?:modified|changed) (?:externally|on disk|outside)\b/i
