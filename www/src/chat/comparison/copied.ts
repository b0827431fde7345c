import type { Policy } from 'trimtab'

const json = (policy: Policy) => JSON.stringify(policy, null, 2)

export const asJson = json

/** Returns a policy as lines of a program: JSON is valid TypeScript. */
export const asTypeScript = (policy: Policy): string =>
  `import { Context, type Policy } from 'trimtab'

const policy: Policy = ${json(policy)}

const context = new Context(policy)
// Before each request: const { messages } = context.project(history)
`

interface Compared {
  readonly policy: Policy
  /** The path of the session file. */
  readonly file: string
  /** A name that `trimtab simulate --prices` accepts. */
  readonly prices: string
  readonly window: number
}

/** Returns a shell command that computes the same figures, compared to sending everything. */
export const asCommand = ({ policy, file, prices, window }: Compared): string =>
  `cat > policy.json <<'POLICY'
${json(policy)}
POLICY
npx trimtab simulate ${quoted(file)} --policy policy.json --policy off --prices ${quoted(prices)} --window ${window}
`

/** Quotes a word for a shell. */
const quoted = (word: string) => (/^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
