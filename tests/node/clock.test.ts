// The clock of the host, which an adapter asks at each request.
import { TrimtabError } from 'trimtab'
import { trimtab as aiSdk } from 'trimtab/ai-sdk'
import { trimtab as langchain } from 'trimtab/langchain'
import { expect, test } from 'vitest'

const ui = [{ role: 'user', content: 'hi' }]
const refusal = async (call: () => unknown) => {
  try {
    await call()
    return undefined
  } catch (error) {
    return error
  }
}

const wrong = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  -1,
  '1',
  1n,
  null,
  undefined,
  new Date(),
]

test.each(wrong)('a clock that returns %s is refused', async (moment) => {
  const now = () => moment as number
  const request = { messages: [], tools: [], model: {}, runtime: {} }
  const middleware = langchain({}, { now }).middleware as { wrapModelCall: (...args: unknown[]) => unknown }
  for (const call of [
    () => aiSdk({}, { now }).view(ui),
    () => middleware.wrapModelCall(request, () => ({})),
  ]) {
    const error = (await refusal(call)) as TrimtabError
    expect(error).toBeInstanceOf(TrimtabError)
    expect(error).toMatchObject({ code: 'invalid_option', argument: 'now' })
    expect(error.message).toMatch(/^now must be a function that returns milliseconds from 0 on, found \S/)
  }
})

test.each([0, 0.5, 1.7e12])('a clock that returns %s is used', (moment) => {
  expect(aiSdk({}, { now: () => moment }).view(ui)).toEqual(ui)
})
