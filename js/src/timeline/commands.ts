import { shellCommands, type Word } from './shell-words.js'

/**
 * Whether a shell command certainly changes no file, judging by its text alone: every program in it is listed in these
 * tables, with options known not to write a file or run a program. An unknown option may do either.
 */
export function readsOnly(command: string): boolean {
  if (command.length > MOST_UNITS) return false
  const isKnown = (words: readonly Word[]) => words.length <= MOST_WORDS && commandReadsOnly(words)
  return shellCommands(command)?.every(isKnown) ?? false
}

/** Maximum length in UTF-16 units: some patterns need a stack for a long word. */
const MOST_UNITS = 1_000_000
/** Maximum words of a command: wrappers may be nested (`time time ls`), and each goes through the words behind it. */
const MOST_WORDS = 1000

function commandReadsOnly([program, ...words]: readonly Word[]): boolean {
  if (program === undefined || (program.expands && program.text !== '[')) return false
  if (PLAIN_VARIABLE.test(program.text)) return commandReadsOnly(words)
  const commandOf = WRAPPERS.get(program.text)
  if (commandOf !== undefined) return commandReadsOnly(commandOf(words))
  if (HARMLESS.has(program.text)) return true
  const reads = READERS.get(program.text)
  return reads !== undefined && !words.some(mayBecomeAnOption) && reads(words.map(textOf))
}

/**
 * What the shell expands can become several words, so it is not the value of an option, nor a program: it is no text that
 * these tables know. It can still be the name of a file.
 */
const textOf = ({ text, expands }: Word): string => (expands ? UNKNOWN + text : text)
const UNKNOWN = '\0'

/**
 * Whether the shell may expand a word to an option: a variable can be anything, also several words; a pattern can match
 * a file named like an option.
 */
const mayBecomeAnOption = ({ text, expands }: Word): boolean =>
  expands && (text.includes('$') || /^[-*?[~]/.test(text))

const namesIn = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** A variable before a command that changes how it prints; others may name a program to run. */
const PLAIN_VARIABLE = /^(?:(?:LC_[A-Z]+|LANG|TZ|NO_COLOR|COLUMNS)=[\w.:/+-]*|(?:GIT_)?PAGER=cat)$/

/** Programs that write no file and run no other program, whatever their options. */
const HARMLESS = namesIn(
  'ls cat head tail wc grep egrep fgrep pwd cd echo which type stat du df cmp cut tr true false : whoami uname nl od strings jq ps sleep basename dirname realpath readlink sha256sum sha1sum md5sum sha224sum sha384sum sha512sum b2sum cksum sum comm paste join fold fmt rev tac seq expr numfmt column hexdump printenv id groups nproc free uptime tty locale getconf',
)

/** Returns the command that a program runs, of the words behind its name. Options of these programs can write a file. */
const WRAPPERS: ReadonlyMap<string, (words: readonly Word[]) => readonly Word[]> = new Map([
  ['time', (words) => words],
  ['timeout', ([limit, ...words]) => (/^\d+[smhd]?$/.test(limit?.text ?? '') ? words : [])],
])

/** Whether a program with these arguments leaves every file unchanged. */
type Reads = (words: readonly string[]) => boolean

interface Options {
  /** Letters that may follow a single dash. */
  readonly flags: string
  /** Letters whose value follows in the same word. */
  readonly valued?: string
  /**
   * Letters whose value is the next word, or a number directly behind them; anything else behind them is more options.
   */
  readonly apart?: string
  /** Long option names, complete, with or without a value after `=`. */
  readonly long?: string
  /** Whether a number may follow a single dash. */
  readonly numbers?: boolean
}

/**
 * Accepts the given options only. A value in its own word that begins with a dash is taken for an option, to be safe.
 */
function only({ flags, valued = '', apart = '', long = '', numbers = false }: Options): Reads {
  const names = namesIn(long)
  const short = new RegExp(`^-(?:[${flags}]+|[${flags}]*(?:[${valued}][\\s\\S]*|[${apart}]\\d*))$`)
  const isKnown = (word: string): boolean => {
    if (word === '-' || !word.startsWith('-')) return true
    if (word.startsWith('--')) return names.has(word.slice(2).split('=', 1)[0] as string)
    return short.test(word) || (numbers && /^-\d+$/.test(word))
  }
  return (words) => beforeDashes(words).every(isKnown)
}

/** Returns the words before `--`: no options follow it, unless it may be the value of the option before it. */
function beforeDashes(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word, at) => word === '--' && !words[at - 1]?.startsWith('-'))
  return end === -1 ? words.filter((word) => word !== '--') : words.slice(0, end)
}

const HISTORY = only({
  flags: 'pswbazqiEFmRrt',
  valued: 'GSnULMCB',
  long: 'oneline stat name-only name-status graph decorate all author since until after before grep follow patch no-patch cached staged numstat shortstat summary format pretty abbrev-commit abbrev date reverse max-count no-merges merges first-parent word-diff color no-color diff-filter unified ignore-all-space ignore-space-change ignore-blank-lines no-renames find-renames check raw full-index no-ext-diff topo-order date-order left-right cherry-pick skip branches tags remotes minimal patience histogram exit-code quiet relative dirstat compact-summary text no-index ignore-space-at-eol ignore-cr-at-eol ancestry-path count no-commit-id root',
  numbers: true,
})

/** Options of `git config` that change nothing. */
const GETS = /^(?:--get|--get-all|--get-regexp|--list|-l)$/

const BRANCHES = only({
  flags: 'arvl',
  long: 'list all remotes verbose show-current contains merged no-merged sort format',
})
/** With these, a name selects the branches to list; without them, it is the name of a new branch. */
const LISTING = /^(?:-[arv]*l[arv]*|--list|--contains|--merged|--no-merged)$/

function listsBranches(words: readonly string[]): boolean {
  const dashes = words.indexOf('--')
  const options = dashes === -1 ? words : words.slice(0, dashes)
  // In `--format --list x`, `--list` is the format.
  const lists = (word: string, at: number) =>
    LISTING.test(word) && !/^--(?:format|sort)$/.test(words[at - 1] ?? '')
  return (words.every((word) => word.startsWith('-')) || options.some(lists)) && BRANCHES(words)
}

/** `git remote -v update` fetches even so, and `git remote show NAME` asks a server unless told not to (`-n`). */
function listsRemotes(words: readonly string[]): boolean {
  const [first, ...rest] = words.filter((word) => word !== '-v' && word !== '--verbose')
  if (first === 'show') return rest.length === 0 || (rest[0] === '-n' && rest.length <= 2)
  return first === undefined || (first === 'get-url' && rest.length <= 1)
}

const TAGS = only({
  flags: 'l',
  valued: 'n',
  long: 'list contains no-contains merged no-merged points-at sort format',
})

const LISTS_TAGS = /^(?:-l|--list|--(?:no-)?(?:contains|merged)|--points-at)$/

const GIT: ReadonlyMap<string, Reads> = new Map([
  ['--version', (words) => words.length === 0],
  ['merge-base', () => true],
  ['show-ref', () => true],
  ['for-each-ref', () => true],
  ['name-rev', () => true],
  ['check-ignore', () => true],
  ['count-objects', () => true],
  ['rev-list', HISTORY],
  ['diff-tree', HISTORY],
  // Only these make no tag, stash or working tree of the words behind them.
  [
    'tag',
    (words) =>
      words.every((word) => /^-n\d*$/.test(word)) || (LISTS_TAGS.test(words[0] as string) && TAGS(words)),
  ],
  ['stash', ([action = '', ...words]) => ['list', 'show'].includes(action) && HISTORY(words)],
  [
    'worktree',
    ([action, ...words]) => action === 'list' && only({ flags: 'v', long: 'porcelain verbose' })(words),
  ],
  [
    'reflog',
    (words) => (words[0] === 'show' || words.every((word) => /^(?:-|\d+$)/.test(word))) && HISTORY(words),
  ],
  [
    'config',
    ([action = '', ...words]) =>
      (GETS.test(action) && words.every((word) => /^(?!-)|^--show-/.test(word))) ||
      (/^[\w-]+\.[\w.-]+$/.test(action) && words.length === 0),
  ],
  ['symbolic-ref', (words) => /^(?:--short )?\w+$/.test(words.join(' '))],
  ['log', HISTORY],
  ['diff', HISTORY],
  ['show', HISTORY],
  ['status', () => true],
  ['ls-files', () => true],
  ['ls-tree', () => true],
  ['rev-parse', () => true],
  ['describe', () => true],
  ['blame', only({ flags: 'wlestfnpcb', valued: 'LMC', long: 'line-porcelain porcelain date' })],
  ['shortlog', only({ flags: 'nsec', long: 'numbered summary email all since until no-merges' })],
  ['cat-file', only({ flags: 'tspe' })],
  ['branch', listsBranches],
  ['remote', listsRemotes],
  [
    'grep',
    only({
      flags: 'nilLwvEFPGcopWhHqIar',
      valued: 'eABCm',
      long: 'line-number ignore-case files-with-matches name-only count word-regexp extended-regexp fixed-strings perl-regexp cached untracked no-index heading break show-function function-context context after-context before-context and or not all-match color max-depth only-matching max-count',
      numbers: true,
    }),
  ],
])

function git(words: readonly string[]): boolean {
  const [first, second, ...rest] = words
  if (first === '--no-pager' || first === '-P') return git(words.slice(1))
  if (first === '-C') return second !== undefined && !second.startsWith(UNKNOWN) && git(rest)
  const isSort = (at: number) => words[at - 1] === '--sort'
  if (words.some((word, at) => SIGNATURE.test(isSort(at) ? `--sort=${word}` : word))) return false
  return GIT.get(first ?? '')?.(words.slice(1)) ?? false
}

/** Formats and orders that verify a signature: git runs `gpg`, which creates files in the home directory. */
const SIGNATURE = /%[-+ ]?G|%\(\*?signature|^--sort=.*signature/

/** Conditions and output options of `find`. A number after a dash means "less than". */
const FIND = namesIn(
  '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -maxdepth -mindepth -size -mtime -mmin -atime -amin -ctime -cmin -newer -newermt -empty -not -and -or -a -o -prune -print -print0 -printf -ls -depth -d -follow -L -P -H -xdev -mount -perm -user -group -readable -writable -executable -links -inum -samefile -true -false -quit',
)

/** Reads the conditions of `find`; `-exec` may run a harmless program, up to `;` or, behind `{}`, `+`. */
const find: Reads = (words) => {
  const at = words.indexOf('-exec')
  const own = at === -1 ? words : words.slice(0, at)
  if (!own.every((word) => !/^-[^\d]/.test(word) || FIND.has(word))) return false
  if (at === -1) return true
  const end = words.findIndex(
    (word, i) => i > at && (word === ';' || (word === '+' && words[i - 1] === '{}')),
  )
  return end !== -1 && HARMLESS.has(words[at + 1] as string) && find(words.slice(end + 1))
}

/** `xargs` with a harmless program: what it appends may be options. */
const xargs: Reads = ([first = '', ...words]) => {
  if (/^-(?:[0r]+|[nLP]\d+|I\{\})$/.test(first)) return xargs(words)
  if (/^-[nLPI]$/.test(first)) return !words[0]?.startsWith(UNKNOWN) && xargs(words.slice(1))
  return HARMLESS.has(first)
}

/**
 * `sed` with scripts that print, delete or substitute lines: `1,20p`, `/a/,/b/p`, `s/a/b/g`. Other scripts can write
 * files. Programs differ in whether a slash in brackets ends a pattern, so it must not stand there. A bracket that closes
 * right behind `[` or `[^` is one of the characters.
 */
const PATTERN = String.raw`(?:[^/\\\n[]|\\[^\n]|\[\^?[^\]^[/\\\n][^\][/\\\n]*\])*`
const ADDRESS = String.raw`(?:\d+|\$|/${PATTERN}/)`
const COMMAND = String.raw`(?:${ADDRESS}(?:,[ ]*${ADDRESS})?[ ]*(?:![ ]*)?)?(?:[pdq=]|s/${PATTERN}/${PATTERN}/[gpI\d]*)`
const SCRIPT = new RegExp(String.raw`^[ ;\n]*${COMMAND}(?:[ ]*[;\n][ ;\n]*${COMMAND})*[ ;\n]*$`)
const sed: Reads = ([first = '', ...words]) => {
  const [script = '', ...files] = /^-[nEr]*e?$/.test(first) ? words : [first, ...words]
  return SCRIPT.test(script) && !files.some((file) => file.startsWith('-'))
}

/** `awk` with a program that has no redirection, pipe or call of a program. `>=`, `||` and, without `print`, `>` are none. */
const awk: Reads = ([first = '', ...words]) => {
  if (/^-F.+/.test(first)) return awk(words)
  if (/^-[Fv]$/.test(first)) return words[0] !== undefined && !/^[-\0]/.test(words[0]) && awk(words.slice(1))
  const comparisons = first.includes('print') ? />=|\|\|/g : />|\|\|/g
  const isPlain = !/[>|@\0]|system|getline/.test(first.replace(comparisons, ' '))
  return first !== '' && isPlain && ![first, ...words].some((word) => word.startsWith('-'))
}

/**
 * Bash evaluates the index of an array after `-v`, zsh and ksh also that of an array in place of a number (`-eq`, `%d`),
 * and all run command substitutions in it.
 */
const namesNoArray: Reads = (words) => !words.some((word) => /^-[vR]|\[.*[$`]/s.test(word))

const SORT = only({
  flags: 'bdfgihnRrVcCmsuzM',
  valued: 'ktS',
  long: 'numeric-sort reverse unique human-numeric-sort version-sort key field-separator ignore-case check stable random-sort general-numeric-sort month-sort zero-terminated ignore-leading-blanks dictionary-order',
})

const READERS: ReadonlyMap<string, Reads> = new Map<string, Reads>([
  ['test', namesNoArray],
  ['[', namesNoArray],
  ['printf', namesNoArray],
  ['git', git],
  ['sed', sed],
  ['awk', awk],
  ['find', find],
  ['xargs', xargs],
  ['command', ([option, ...words]) => option === '-v' && words.length === 1],
  ...['node', 'python', 'python3', 'ruby', 'php'].map((program): [string, Reads] => [
    program,
    (words) => words.join(' ') === '--version',
  ]),
  ...['env', 'hostname'].map((program): [string, Reads] => [program, (words) => words.length === 0]),
  // `uniq` writes its second file. A pattern may match two files.
  [
    'uniq',
    ([...words]) =>
      words.filter((word) => !/^-[cduizD]+$/.test(word)).every((file, at) => at === 0 && !/[*?[]/.test(file)),
  ],
  // `date` sets the clock if it has no format.
  [
    'date',
    (words) => words.every((word) => /^(?:\+|-[uRI]+$|--(?:utc|universal|iso-8601|rfc-email)\b)/.test(word)),
  ],
  [
    'fd',
    only({
      flags: 'HIusigFalLp01q',
      valued: 'etdESoj',
      long: 'hidden no-ignore unrestricted case-sensitive ignore-case glob fixed-strings absolute-path list-details follow full-path extension type max-depth min-depth exact-depth exclude size changed-within changed-before owner color threads max-results base-directory path-separator strip-cwd-prefix print0 prune',
    }),
  ],
  [
    'rg',
    only({
      flags: 'niSslcwvoFPUHINhqLuax.0p',
      valued: 'ABCgtTemrMjdEf',
      long: 'files files-with-matches files-without-match count count-matches line-number no-line-number ignore-case smart-case case-sensitive word-regexp line-regexp fixed-strings pcre2 multiline multiline-dotall hidden no-ignore no-ignore-vcs follow glob iglob type type-not type-list context after-context before-context max-count max-depth max-columns max-filesize regexp only-matching replace invert-match no-heading heading color json stats sort sortr with-filename no-filename no-messages null text unrestricted trim column vimgrep passthru encoding',
    }),
  ],
  // Windows has another one, whose `/o` writes a file.
  ['sort', (words) => SORT(words) && !words.some((word) => /^\/o/i.test(word))],
  [
    'tree',
    only({
      flags: 'adfilpsugDhCnrtvxFASJXNq',
      apart: 'LPI',
      long: 'dirsfirst filesfirst noreport gitignore prune filelimit charset sort du si matchdirs ignore-case',
    }),
  ],
  [
    'diff',
    only({
      flags: 'urNqbwBiacyseptTEZd',
      valued: 'UCxIWL',
      long: 'brief unified context recursive new-file ignore-case ignore-all-space ignore-space-change ignore-blank-lines side-by-side color exclude label report-identical-files strip-trailing-cr text minimal width suppress-common-lines',
    }),
  ],
  [
    'file',
    only({
      flags: 'biLhksr0Nnp',
      valued: 'fFPe',
      long: 'brief mime mime-type mime-encoding dereference no-dereference',
    }),
  ],
])
