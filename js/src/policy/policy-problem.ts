import { TrimtabError } from '../base/error.js'

/** What the engine's reader of JSON says of a value in the wrong place. It does not say where: the policy is tried without it. */
const BY_READER = /^policy: ((?:invalid|unknown|missing) .*)$/s

/** What its own checks say begins with the place. */
const BY_CHECK = /^policy: (\w+(?:\.\w+)+) /

/** How that reader calls what it expects. */
const WORDS: [RegExp, string][] = [
  [/\bexpected u32$/, 'expected a whole number from 0 to 4294967295'],
  [/\bexpected f64$/, 'expected a number'],
  [/\bexpected struct \w+$/, 'expected an object of settings'],
  [/\bexpected a sequence$/, 'expected a list'],
  [/\bexpected a string$/, 'expected a text'],
  [/\bfloating point\b/, 'number'],
  [/\binteger\b/, 'number'],
  [/\bstring (?=")/, 'text '],
  [/\bunknown variant\b/, 'unknown value'],
]

/** The error of a policy that the engine refuses, with the place of what is wrong. */
export function policyProblem(json: string, refused: unknown, compile: (json: string) => void): unknown {
  if (!(refused instanceof TrimtabError) || refused.code !== 'invalid_policy') return refused
  if (/hex escape|surrogate/.test(refused.message)) {
    const message = 'policy: a text of it has half of a surrogate pair'
    return new TrimtabError('invalid_policy', message, { argument: 'policy' })
  }
  const [, said] = BY_READER.exec(refused.message) ?? []
  if (said === undefined) {
    const [, argument = 'policy'] = BY_CHECK.exec(refused.message) ?? []
    return new TrimtabError('invalid_policy', refused.message, { argument })
  }
  const isRefusedAlike = (policy: unknown) =>
    messageOf(() => compile(JSON.stringify(policy))) === refused.message
  const path = pathTo(JSON.parse(json) as unknown, said, isRefusedAlike)
  const reason = WORDS.reduce((text, [word, plain]) => text.replace(word, plain), said)
  const where = path.length === 0 ? 'policy' : `policy: ${path.join('.')}`
  return new TrimtabError('invalid_policy', `${where}: ${reason}`, { argument: path.join('.') || 'policy' })
}

/** Down to the value without which the engine would not say this: names of fields. */
function pathTo(policy: unknown, said: string, isRefusedAlike: (policy: unknown) => boolean): string[] {
  const path: string[] = []
  for (let value = policy; isObject(value); ) {
    const wrong = Object.keys(value).find(
      (key) => canHold(said, value as Fields, key) && !isRefusedAlike(without(policy, [...path, key])),
    )
    if (wrong === undefined) break
    path.push(wrong)
    value = value[wrong]
  }
  return path
}

/** Of an unknown or missing field the object around it is told. */
function canHold(said: string, holder: Fields, key: string): boolean {
  const [, kind, name] = /^(unknown|missing) field `(.*?)`/.exec(said) ?? []
  return kind === undefined || (isObject(holder[key]) && !(kind === 'unknown' && key === name))
}

type Fields = Record<string, unknown>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function without(value: unknown, [key, ...rest]: readonly string[]): unknown {
  const { [key as string]: inner, ...others } = value as Fields
  return rest.length === 0 ? others : { ...others, [key as string]: without(inner, rest) }
}

function messageOf(work: () => void): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
