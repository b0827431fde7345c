// A session file for the programs. Outside of their folder, whose package.json would hide this package.
import { type SessionKind, writeTranscript } from 'trimtab/transcripts'
import { fileText, STEPS } from '../frameworks/provider.js'

/** Returns a session with all steps of the scripted model: its next answer is that it is done. */
export function writtenSession(kind: SessionKind, thread: string, cwd: string): string {
  const history: object[] = [{ role: 'user', content: `${thread}: read all files` }]
  for (let step = 0; step < STEPS; step++) {
    const [id, path] = [`call_${step}`, `src/${step}.ts`]
    const input = { command: `cat ${path}` }
    history.push(
      {
        role: 'assistant',
        content: [
          { type: 'text', text: `Step ${step}.` },
          { type: 'tool_use', id, name: 'Bash', input },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: fileText(thread, path) }],
      },
    )
  }
  return writeTranscript(history, { kind, cwd }).text
}
