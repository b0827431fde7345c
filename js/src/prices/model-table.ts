import type { DatedPrices } from './prices.js'

/** A figure that can be assumed. */
export type AssumedPrice = 'cacheRead' | 'cacheSeconds' | 'output'

/** A row of the table of models. Prices are in units of the model's input token. */
export interface ModelRow extends Omit<DatedPrices, 'models'> {
  /** Ids as `plainId` normalises them, with `-` for `.`; a family, of which no other version is a member, ends in `*`. */
  ids: readonly string[]
  window: number | null
  isThirdParty: boolean
  /** Price of a token written to a cache that lives an hour, if the provider has one. */
  hourWrite?: number
  assumed?: readonly AssumedPrice[]
}

/**
 * Common fields of all rows. The ratios come from a third party's catalogue; `source` is the provider's page
 * to check them.
 */
const NOTED = { noted: '2026-11', isThirdParty: true, input: 1 } as const

const CLAUDE = {
  ...NOTED,
  cacheRead: 0.1,
  cacheWrite: 1.25,
  hourWrite: 2,
  output: 5,
  cacheSeconds: 300,
  window: 1_000_000,
  source: 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching',
} as const

const GPT = {
  ...NOTED,
  cacheRead: 0.1,
  cacheWrite: 1,
  output: 8,
  cacheSeconds: 300,
  window: 400_000,
  source: 'https://developers.openai.com/api/docs/guides/prompt-caching',
} as const
/** Above the window that is billed at the usual price. */
const GPT_TIERS = { window: 272_000, tiers: [{ above: 272_000, input: 2, output: 1.5 }] }
/** The catalogue has no price of a read for these: taken as not reduced. */
const GPT_PRO = { ...GPT, cacheRead: 1, assumed: ['cacheRead'] } as const
const GPT_PAID_WRITES = { ...GPT, cacheWrite: 1.25, assumed: ['cacheSeconds'] } as const

const GEMINI = {
  ...NOTED,
  cacheRead: 0.1,
  cacheWrite: 1,
  output: 8,
  cacheSeconds: null,
  window: 1_000_000,
  source: 'https://ai.google.dev/gemini-api/docs/pricing',
} as const
const GEMINI_TIERS = [{ above: 200_000, input: 2, output: 1.5 }]

const DEEPSEEK = {
  ...NOTED,
  cacheWrite: 1,
  output: 4,
  cacheSeconds: null,
  window: 1_000_000,
  source: 'https://api-docs.deepseek.com/quick_start/pricing',
} as const

const GROK = {
  ...NOTED,
  cacheWrite: 1,
  output: 3,
  cacheSeconds: null,
  window: 500_000,
  tiers: [{ above: 200_000, input: 2, output: 2 }],
  source: 'https://docs.x.ai/docs/models',
} as const

/**
 * Prices by model as of November 2026: ratios from the catalogue of `@earendil-works/pi-ai` 1.5.2, a third
 * party's.
 */
export const MODELS: readonly ModelRow[] = [
  {
    ...CLAUDE,
    ids: [
      ...['claude-haiku-4*', 'claude-sonnet-4*', 'claude-sonnet-4-0*'],
      ...['claude-opus-4*', 'claude-opus-4-0*', 'claude-opus-4-1*'],
    ],
    window: null,
  },
  { ...CLAUDE, ids: ['claude-haiku-4-5*', 'claude-sonnet-4-5*', 'claude-opus-4-5*'], window: 200_000 },
  {
    ...CLAUDE,
    ids: [
      ...[
        'claude-haiku-4-6*',
        'claude-sonnet-4-6*',
        'claude-opus-4-6*',
        'claude-opus-4-7*',
        'claude-opus-4-8*',
      ],
      ...['claude-sonnet-5', 'claude-opus-5', 'claude-fable-5'],
    ],
  },
  { ...CLAUDE, ids: ['claude-opus-5-5', 'claude-sonnet-5-5'], cacheRead: 0.05 },
  { ...CLAUDE, ids: ['claude-fable-5-1', 'claude-fable-5-2'], cacheRead: 0.025 },
  { ...CLAUDE, ids: ['claude-haiku-5-5'], tiers: [{ above: 100_000, input: 5, output: 5 }] },
  { ...GPT, ids: ['gpt-5', 'gpt-5-1*', 'gpt-5-2*', 'gpt-5-3*', 'gpt-5-mini', 'gpt-5-nano', 'gpt-5-codex*'] },
  { ...GPT, ids: ['gpt-5-3-codex-spark*'], window: 128_000 },
  { ...GPT_PRO, ids: ['gpt-5-pro*', 'gpt-5-2-pro*'] },
  { ...GPT, ids: ['gpt-5-4*', 'gpt-5-5*'], ...GPT_TIERS, output: 6 },
  { ...GPT, ids: ['gpt-5-4-mini*'], output: 6 },
  { ...GPT, ids: ['gpt-5-4-nano*'], output: 6.25 },
  { ...GPT_PRO, ids: ['gpt-5-4-pro*', 'gpt-5-5-pro*'], ...GPT_TIERS, output: 6, window: 1_050_000 },
  { ...GPT_PAID_WRITES, ids: ['gpt-5-6*'], ...GPT_TIERS, output: 6 },
  { ...GPT_PAID_WRITES, ids: ['gpt-5-6-cyber*'], output: 6 },
  {
    ...GPT_PAID_WRITES,
    ids: ['gpt-5-6-sol*', 'gpt-6-sol', 'gpt-6-terra', 'gpt-6-luna', 'gpt-6-astra'],
    ...GPT_TIERS,
    output: 5,
  },
  { ...GPT_PAID_WRITES, ids: ['gpt-6'], ...GPT_TIERS, output: 5, assumed: ['output', 'cacheSeconds'] },
  { ...GPT_PAID_WRITES, ids: ['gpt-6-1*'], ...GPT_TIERS, cacheRead: 0.05, output: 5 },
  { ...GEMINI, ids: ['gemini-2-5-pro'], tiers: GEMINI_TIERS },
  { ...GEMINI, ids: ['gemini-3-1-pro'], tiers: GEMINI_TIERS, output: 6 },
  { ...GEMINI, ids: ['gemini-4-argon'], cacheRead: 0.05, output: 5 },
  { ...DEEPSEEK, ids: ['deepseek-flash', 'deepseek-chat', 'deepseek-v4-flash'], cacheRead: 0.02 },
  { ...DEEPSEEK, ids: ['deepseek-v4-pro'], cacheRead: 0.033, output: 3 },
  { ...GROK, ids: ['grok-4-3'], cacheRead: 0.16, output: 2, window: 1_000_000 },
  { ...GROK, ids: ['grok-4-5'], cacheRead: 0.15 },
  { ...GROK, ids: ['grok-4-6', 'grok-4-7'], cacheRead: 0.25 },
]
