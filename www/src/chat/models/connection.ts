import type { Format } from 'trimtab'

/** The supported protocols. */
export type ProviderId = 'openai' | 'anthropic' | 'gemini'

/** The endpoint and model entered by the user. */
export interface Connection {
  readonly provider: ProviderId
  /** Base URL of the provider's paths, without a final slash. */
  readonly address: string
  readonly model: string
  /** The API key; empty if the endpoint needs none. */
  readonly key: string
  /** The model's context window in tokens. */
  readonly window: number
}

interface ProviderDefaults {
  readonly name: string
  /** The format of the protocol's messages. */
  readonly format: Format
  readonly address: string
  /** Example of a model name. */
  readonly example: string
  readonly window: number
}

export const PROVIDERS: Readonly<Record<ProviderId, ProviderDefaults>> = {
  openai: {
    name: 'OpenAI-compatible',
    format: 'openai-chat',
    address: 'https://api.openai.com/v1',
    example: 'gpt-5.1',
    window: 128_000,
  },
  anthropic: {
    name: 'Anthropic',
    format: 'anthropic',
    address: 'https://api.anthropic.com/v1',
    example: 'claude-sonnet-4-5',
    window: 200_000,
  },
  gemini: {
    name: 'Gemini',
    format: 'gemini',
    address: 'https://generativelanguage.googleapis.com/v1beta',
    example: 'gemini-2.5-flash',
    window: 1_000_000,
  },
}

export const PROVIDER_IDS = Object.keys(PROVIDERS) as ProviderId[]

/** The values of the form. */
export interface Entered {
  readonly provider: ProviderId
  readonly address: string
  readonly model: string
  readonly key: string
  readonly window: string
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/**
 * Validates the form: returns the connection, or the error as text.
 *
 * @param isSecure Whether the page itself was loaded over HTTPS. Browsers then block requests over HTTP, except to this
 * machine.
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
  // Headers allow only these characters.
  if (!/^[\x21-\x7e]*$/.test(key)) return 'The key holds characters that no key has.'
  const window = Number(entered.window.replace(/[\s,_']/g, '') || PROVIDERS[provider].window)
  if (!Number.isInteger(window) || window < 1000) return 'The window is a number of tokens, at least 1,000.'
  return { provider, address: `${url.origin}${url.pathname}`.replace(/\/+$/, ''), model, key, window }
}

/**
 * Returns the key that a form shows for the address in it: that of the connection before, only if both addresses are of
 * one origin.
 *
 * @param address As entered; empty for the provider's own.
 */
export function keyFor({ provider, address: before, key }: Connection, address: string): string {
  const given = address.trim() || PROVIDERS[provider].address
  return URL.canParse(given) && new URL(given).origin === new URL(before).origin ? key : ''
}

/** Returns the host of the connection. */
export const hostOf = ({ address }: Connection): string => new URL(address).host
