import type { Policy } from 'trimtab'

const json = (policy: Policy) => JSON.stringify(policy, null, 2)

export const asJson = json

/** A program's lines: JSON is TypeScript too. */
export const asTypeScript = (policy: Policy): string =>
  `import { Context, type Policy } from 'trimtab'

const policy: Policy = ${json(policy)}

const context = new Context(policy)
// Before each request: const { messages } = context.project(history)
`

interface Compared {
  readonly policy: Policy
  /** The session's file. */
  readonly file: string
  /** A name of `trimtab simulate --prices`. */
  readonly prices: string
  readonly window: number
}

/** What computes the same figures in a shell, beside sending everything. */
export const asCommand = ({ policy, file, prices, window }: Compared): string =>
  `cat > policy.json <<'POLICY'
${json(policy)}
POLICY
npx trimtab simulate ${quoted(file)} --policy policy.json --policy off --prices ${quoted(prices)} --window ${window}
`

/** A word of a shell. */
const quoted = (word: string) => (/^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
