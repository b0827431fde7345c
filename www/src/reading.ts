import { readTranscript } from 'trimtab/transcripts'
import { createSession, type Session } from './session.js'

/**
 * Reads a session from a file's text.
 *
 * @throws TrimtabError if the text is not a session
 */
export function readSession(name: string, text: string): Session {
  return createSession(name, readTranscript(text, { name }))
}

/** Fetches the package's sample session, which is served with the page. */
export async function fetchSample(): Promise<{ name: string; text: string }> {
  // The literal path lets the bundler find the file and copy it.
  const url = new URL('../../examples/session.jsonl', import.meta.url)
  const response = await fetch(url)
  if (!response.ok) {
    throw new Error(`the sample could not be loaded (${response.status})`)
  }
  return { name: 'sample session', text: await response.text() }
}
