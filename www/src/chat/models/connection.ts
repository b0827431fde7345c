/** The protocols that the page speaks. */
export type ProviderId = 'openai' | 'anthropic' | 'gemini'

/** Where answers come from, as the user gave it. */
export interface Connection {
  readonly provider: ProviderId
  /** The address below which the provider's paths stand, without a slash at its end. */
  readonly address: string
  readonly model: string
  /** Empty where the endpoint asks for none. */
  readonly key: string
  /** Tokens of the model's window. */
  readonly window: number
}

interface ProviderDefaults {
  readonly name: string
  readonly address: string
  /** What a model's name looks like. */
  readonly example: string
  readonly window: number
}

export const PROVIDERS: Readonly<Record<ProviderId, ProviderDefaults>> = {
  openai: {
    name: 'OpenAI-compatible',
    address: 'https://api.openai.com/v1',
    example: 'gpt-5.1',
    window: 128_000,
  },
  anthropic: {
    name: 'Anthropic',
    address: 'https://api.anthropic.com/v1',
    example: 'claude-sonnet-4-5',
    window: 200_000,
  },
  gemini: {
    name: 'Gemini',
    address: 'https://generativelanguage.googleapis.com/v1beta',
    example: 'gemini-2.5-flash',
    window: 1_000_000,
  },
}

export const PROVIDER_IDS = Object.keys(PROVIDERS) as ProviderId[]

/** What the user wrote into the form. */
export interface Entered {
  readonly provider: ProviderId
  readonly address: string
  readonly model: string
  readonly key: string
  readonly window: string
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/**
 * The connection that was entered, or what is wrong with it, in words.
 *
 * @param isSecure Whether the page itself came over HTTPS: browsers then let it ask no other.
 */
export function connectionOf(entered: Entered, isSecure: boolean): Connection | string {
  const { provider } = entered
  const [model, key] = [entered.model.trim(), entered.key.trim()]
  const given = entered.address.trim() || PROVIDERS[provider].address
  if (!URL.canParse(given)) return 'The address must be a URL, such as http://localhost:8080/v1.'
  const url = new URL(given)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return 'The address must begin with https:// or http://.'
  if (url.username !== '' || url.password !== '')
    return 'The address must not hold a name or a password: the key has a field of its own.'
  if (url.search !== '' || url.hash !== '') return 'The address must end before any ? or #.'
  if (isSecure && url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    return 'This page came over HTTPS: the browser lets it ask http:// addresses on this machine only.'
  if (model === '') return 'Which model? Give its name.'
  // Headers hold nothing else.
  if (!/^[\x21-\x7e]*$/.test(key)) return 'The key holds characters that no key has.'
  const window = Number(entered.window.replace(/[\s,_']/g, '') || PROVIDERS[provider].window)
  if (!Number.isInteger(window) || window < 1000) return 'The window is a number of tokens, at least 1,000.'
  return { provider, address: `${url.origin}${url.pathname}`.replace(/\/+$/, ''), model, key, window }
}

/** The name of the machine that is asked. */
export const hostOf = ({ address }: Connection): string => new URL(address).host
