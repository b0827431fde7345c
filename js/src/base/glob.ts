/**
 * Whether a path matches a glob: `*` and `?` within a name, `**` across folders, `{a,b}`, `[abc]`. A glob without a `/`
 * is about the name alone, wherever the file is, as in `rg -g`.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  const trimmed = glob.replace(/^\.?\//, '')
  const expression = new RegExp(`^${trimmed.includes('/') ? '' : '(?:.*/)?'}${translated(trimmed)}$`, 'u')
  return (path) => expression.test(path)
}

function translated(glob: string): string {
  let pattern = ''
  let depth = 0
  for (let i = 0; i < glob.length; i++) {
    const rest = glob.slice(i)
    const folders = /^\*\*\//.exec(rest)?.[0] ?? /^\*\*/.exec(rest)?.[0]
    const set = /^\[(!?)([^\]/]+)\]/.exec(rest)
    const letter = glob[i] as string
    if (folders !== undefined) {
      pattern += folders === '**' ? '.*' : '(?:.*/)?'
      i += folders.length - 1
    } else if (set !== null) {
      pattern += `[${set[1] === '' ? '' : '^'}${(set[2] as string).replace(/[\\[\]^&|~]/g, '\\$&')}]`
      i += set[0].length - 1
    } else if (letter === '{' && closes(glob, i)) {
      pattern += '(?:'
      depth++
    } else if (letter === '}' && depth > 0) {
      pattern += ')'
      depth--
    } else if (letter === ',' && depth > 0) pattern += '|'
    else pattern += GLOB_LETTERS[letter] ?? letter.replace(/[$()+.\\\]^{|}[/]/, '\\$&')
  }
  return pattern
}

const GLOB_LETTERS: Record<string, string> = { '*': '[^/]*', '?': '[^/]' }

/** Whether the brace at `start` has its end. */
function closes(glob: string, start: number): boolean {
  let depth = 0
  for (const letter of glob.slice(start)) {
    if (letter === '{') depth++
    if (letter === '}' && --depth === 0) return true
  }
  return false
}
