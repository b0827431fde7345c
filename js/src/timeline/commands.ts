/** Programs that write no file, unless their output is led into one. */
const READERS = new Set(
  'ls cat head tail wc grep egrep rg find fd tree pwd cd echo printf which type file stat du df diff cmp sort cut tr true false test date whoami uname nl od strings jq ps sleep basename dirname realpath readlink sha256sum md5sum sed git'.split(
    ' ',
  ),
)
const GIT_READERS = new Set(
  'status log diff show branch blame grep ls-files ls-tree rev-parse remote describe shortlog cat-file'.split(
    ' ',
  ),
)

/** Options that name a file to write, or a program to run. */
const WRITING_OPTIONS: Record<string, RegExp> = {
  diff: /^--output/,
  rg: /^--pre\b/,
  sed: /^(?:-[a-z]*i|--in-place)/,
  sort: /^(?:-[a-zA-Z]*o|--output|--compress-program)/,
  tree: /^-[a-zA-Z]*o/,
}

/** `sed -n` with a script that prints lines and does nothing else: `1,20p`, `/a/,/b/p`. Scripts can also write files. */
const ADDRESS = String.raw`(?:\d+|\$|/[^/'"\n]*/)`
const PRINTING = new RegExp(String.raw`\bsed -n (['"]?)(?:${ADDRESS}(?:,${ADDRESS})?p;? ?)+\1(?=\s|$)`, 'g')

/** Whether a shell command changes no file, as far as its text alone says it for certain. */
export function readsOnly(command: string): boolean {
  if (/\bsed\b/.test(command.replace(PRINTING, ''))) return false
  const plain = command
    .replace(/\d?>&\d|&>\s*\/dev\/null|\d?>\s*\/dev\/null/g, ' ')
    .replace(/'[^']*'|"[^"$`]*"/g, 'text')
  if (/[>`]|\$\(|<\(/.test(plain)) return false
  return plain.split(/&&|\|\||[;|\n&]/).every((part) => partReadsOnly(part.trim()))
}

function partReadsOnly(part: string): boolean {
  if (part === '' || part.startsWith('#')) return true
  const words = part.split(/\s+/)
  const [program = '', first = ''] = words
  if (!READERS.has(program)) return false
  if (program === 'git') return GIT_READERS.has(first) && !/\s-(?:D|d|m|M|-output)\b/.test(part)
  if (program === 'find' || program === 'fd')
    return !/\s-(?:delete|exec|execdir|ok|fprint\w*|fls|x|X)\b/.test(part)
  const writesTo = WRITING_OPTIONS[program]
  return writesTo === undefined || !words.some((word) => writesTo.test(word))
}
