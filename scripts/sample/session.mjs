import { hexId, seededRandom, uuid } from './random.mjs'

export const root = '/home/mira/tidewatch'

/** Writes a session as the agent does: one JSON line per part of a message, linked by `parentUuid`. */
export class Session {
  files
  #random = seededRandom(2025)
  #lines = []
  #parent = null
  #clock = Date.UTC(2025, 10, 3, 9, 12, 0)
  #sessionId = uuid(this.#random)

  constructor(files) {
    this.files = files
  }

  text() {
    return `${this.#lines.map((line) => JSON.stringify(line)).join('\n')}\n`
  }

  /** Adds a line that is not a message. */
  aside(fields) {
    this.#lines.push({ ...fields, timestamp: this.#tick(1) })
  }

  title(summary) {
    this.#lines.push({ type: 'summary', summary, leafUuid: this.#parent })
  }

  system(fields) {
    this.#link({ type: 'system', ...fields }, 1)
  }

  prompt(text, more = {}) {
    this.#link({ type: 'user', message: { role: 'user', content: text }, ...more }, 40)
  }

  /**
   * Adds one model response: reasoning, text, and calls `{tool, input, result}`; a call without `result` stays
   * unanswered.
   */
  step({ thinking, text, calls = [], sidechain = false }) {
    const id = `msg_${hexId(this.#random, 20)}`
    const parts = []
    if (thinking) parts.push({ type: 'thinking', thinking, signature: `sample-${hexId(this.#random, 64)}` })
    if (text) parts.push({ type: 'text', text })
    const uses = calls.map((call) => ({ ...call, id: `toolu_${hexId(this.#random, 22)}` }))
    parts.push(
      ...uses.map(({ id: useId, tool, input }) => ({ type: 'tool_use', id: useId, name: tool, input })),
    )
    for (const part of parts) {
      const message = {
        id,
        type: 'message',
        role: 'assistant',
        model: 'sample-model',
        content: [part],
        stop_reason: null,
        usage: { input_tokens: 4, output_tokens: 60 + Math.floor(this.#random() * 300) },
      }
      this.#link({ type: 'assistant', message }, 6, sidechain)
    }
    for (const use of uses) if (use.result !== undefined) this.#answer(use, sidechain)
  }

  #answer({ id, result, isError }, sidechain) {
    const block = {
      type: 'tool_result',
      tool_use_id: id,
      content: result,
      ...(isError ? { is_error: true } : {}),
    }
    this.#link({ type: 'user', message: { role: 'user', content: [block] } }, 3, sidechain)
  }

  #link(fields, seconds, sidechain = false) {
    const line = {
      parentUuid: this.#parent,
      isSidechain: sidechain,
      userType: 'external',
      cwd: root,
      sessionId: this.#sessionId,
      version: '2.0.0',
      gitBranch: 'main',
      ...fields,
      uuid: uuid(this.#random),
      timestamp: this.#tick(seconds),
    }
    if (!sidechain) this.#parent = line.uuid
    this.#lines.push(line)
  }

  #tick(seconds) {
    this.#clock += Math.round(1000 * seconds * (0.5 + this.#random()))
    return new Date(this.#clock).toISOString()
  }
}

/** The agent's tools on the invented files, so that a read after an edit shows the edit. */
export function toolsOn(files) {
  return {
    read(path, range = {}) {
      const { offset = 1, limit } = range
      const lines = contentOf(files, path).replace(/\n$/, '').split('\n')
      const shown = lines.slice(offset - 1, limit === undefined ? undefined : offset - 1 + limit)
      const result = shown.map((line, index) => `${String(offset + index).padStart(6)}→${line}`).join('\n')
      return { tool: 'Read', input: { file_path: `${root}/${path}`, ...range }, result }
    },
    edit(path, from, to) {
      const content = contentOf(files, path)
      if (content.split(from).length !== 2)
        throw new Error(`an edit of ${path} does not fit exactly once: ${from}`)
      files.set(
        path,
        content.replace(from, () => to),
      )
      const input = { file_path: `${root}/${path}`, old_string: from, new_string: to }
      return { tool: 'Edit', input, result: `The file ${root}/${path} was updated: 1 replacement.` }
    },
    grep(pattern, path = 'src') {
      const hits = [...files].flatMap(([file, content]) =>
        file.startsWith(path)
          ? content
              .split('\n')
              .flatMap((line, index) => (line.includes(pattern) ? [`${file}:${index + 1}:${line}`] : []))
          : [],
      )
      const input = { pattern, path: `${root}/${path}`, output_mode: 'content' }
      return { tool: 'Grep', input, result: hits.length === 0 ? 'No matches found' : hits.join('\n') }
    },
    bash(command, result, isError = false) {
      return { tool: 'Bash', input: { command }, result, isError }
    },
  }
}

function contentOf(files, path) {
  const content = files.get(path)
  if (content === undefined) throw new Error(`no such file in the sample: ${path}`)
  return content
}
