import { readTranscript } from 'trimtab/transcripts'
import { createSession, type Session } from './session.js'

/** Reads a session from a file's text; throws a `TrimtabError` for what is no session. */
export function readSession(name: string, text: string): Session {
  return createSession(name, readTranscript(text, { name }))
}

/** The sample that ships with the package, from the page's own folder. */
export async function fetchSample(): Promise<{ name: string; text: string }> {
  // The literal lets the bundler find the file and copy it beside the page.
  const url = new URL('../../examples/session.jsonl', import.meta.url)
  const response = await fetch(url)
  if (!response.ok) {
    throw new Error(`the sample could not be loaded (${response.status})`)
  }
  return { name: 'sample session', text: await response.text() }
}
