import { readFileSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Format } from 'trimtab'
import { fileStore, saveSession } from 'trimtab/sessions'
import { readTranscript } from 'trimtab/transcripts'
import { expect, test } from 'vitest'
import { FORMATS, write } from '../node/write.js'
import { scratchFolder } from '../workspace/folder.js'

const call = { tool: 'Read', path: 1, result: 'text ä', parts: false, images: 0, ephemeral: false }
const turn = { prompt: false, text: 'I read.', reasoning: false, calls: [call] }

/** The file of a session after several saves of a growing history and of an edited one. */
async function savedFile(
  messages: readonly object[],
  format?: Format,
): Promise<{ file: string; text: string }> {
  const folder = scratchFolder()
  const store = fileStore({ fs, folder })
  for (let length = 1; length <= messages.length; length++)
    await saveSession(store, 's', { history: messages.slice(0, length), state: { length } })
  await saveSession(store, 's', { history: [...messages].reverse() })
  await saveSession(store, 's', { history: messages, ...(format && { format }) })
  const file = `${folder}/s.jsonl`
  return { file, text: readFileSync(file, 'utf8') }
}

test.each(FORMATS)('the file of a saved session is read as its messages: %s', async (format) => {
  const messages = write([turn, turn], format)
  const { text } = await savedFile(messages)
  expect(readTranscript(text)).toMatchObject({ format, messages, skipped: [] })
})

test('the saved format decides if messages fit several formats', async () => {
  const messages = [{ role: 'user', content: 'hi' }]
  expect(readTranscript((await savedFile(messages, 'ai-sdk')).text).format).toBe('ai-sdk')
  expect(readTranscript((await savedFile(messages)).text).format).toBe('openai-chat')
})

test('bytes and dates are restored', async () => {
  const messages = [
    { role: 'user', content: [{ type: 'image', image: new Uint8Array([1, 2]) }], at: new Date(5) },
  ]
  const { text } = await savedFile(messages)
  expect(readTranscript(text).messages).toEqual(messages)
})

test('an incomplete entry is skipped and counted', async () => {
  const { text } = await savedFile([{ role: 'user', content: 'hi' }])
  expect(readTranscript(`${text}\n{"entry":{"type":"app`)).toMatchObject({
    messages: [{ role: 'user', content: 'hi' }],
    skipped: [{ reason: 'an entry that is damaged, or was never written whole', count: 1, unit: 'line' }],
  })
})

const crcOf = (fields: string) => crc32(fields).toString(16).padStart(8, '0')
const checkpoint = (version: number) => {
  const entry = JSON.stringify({ type: 'checkpoint', session: { version, history: [] } })
  const fields = `{"id":"0123456789abcdef","covers":53,"entry":${entry}`
  return `\n${fields},"crc":"${crcOf(fields)}"}`
}
test.each([
  ['a file with only its first line', '', /^a\.jsonl: its file has no complete checkpoint$/],
  ['a newer version', checkpoint(2), /has version 2; .* update it/],
  ['a session without messages', checkpoint(1), /no messages/],
])('%s is refused with the reason', (_, rest, reason) => {
  const text = `{"trimtab":"session","generation":"0123456789abcdef"}${rest}`
  expect(() => readTranscript(text, { name: 'a.jsonl' })).toThrow(
    expect.objectContaining({ code: 'unreadable_transcript', message: expect.stringMatching(reason) }),
  )
})
