/** Programs that write no file, unless their output is led into one. */
const READERS = new Set(
  'ls cat head tail wc grep egrep rg find fd tree pwd cd echo printf which type file stat du df diff cmp sort uniq cut tr true false test date env whoami uname nl od xxd strings jq ps sleep basename dirname realpath readlink sha256sum md5sum sed git'.split(
    ' ',
  ),
)
const GIT_READERS = new Set(
  'status log diff show branch blame grep ls-files ls-tree rev-parse remote describe shortlog cat-file'.split(
    ' ',
  ),
)

/** Whether a shell command changes no file, as far as its text alone says it for certain. */
export function readsOnly(command: string): boolean {
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
  if (program === 'sed')
    return words.includes('-n') && !words.some((word) => /^-[a-z]*i|^--in-place/.test(word))
  return program !== 'sort' || !words.some((word) => word.startsWith('-o'))
}
