import { ModelError, type ModelEvent } from '../agent/model.js'
import { CallIds } from './call-ids.js'
import { withTakenNames } from './call-names.js'
import { withCallReasoning } from './call-reasoning.js'
import { type AnswerReader, type Fields, fieldsOf, isFields, listOf, textOf, type Wire } from './wire.js'

/** Gemini's streamed `generateContent`. */
export const gemini: Wire = {
  request({ model, key }, { messages, system, tools }) {
    return {
      path: `/models/${encodeURIComponent(model.replace(/^models\//, ''))}:streamGenerateContent?alt=sse`,
      headers: key === '' ? {} : { 'x-goog-api-key': key },
      body: {
        contents: withTakenNames(withCallReasoning(messages, 'gemini', model)),
        ...(system === '' ? {} : { systemInstruction: { parts: [{ text: system }] } }),
        ...(tools.length === 0
          ? {}
          : {
              tools: [
                {
                  functionDeclarations: tools.map(({ name, description, parameters }) => ({
                    name,
                    description,
                    parametersJsonSchema: parameters,
                  })),
                },
              ],
            }),
      },
    }
  },
  reader({ messages }) {
    const parts = messages.flatMap((message) => listOf((message as Fields).parts))
    return new PartReader(parts.map(({ functionCall }) => textOf(fieldsOf(functionCall).id)))
  },
}

/** Finish reasons that mean that the answer was withheld. */
const WITHHELD = /SAFETY|RECITATION|BLOCKLIST|PROHIBITED|SPII|LANGUAGE/

class PartReader implements AnswerReader {
  isOver = false
  isCut = false
  #calls = 0
  readonly #parts: Fields[] = []
  readonly #ids: CallIds

  /** @param known Ids of calls in the history. */
  constructor(known: readonly string[]) {
    this.#ids = new CallIds(known)
  }

  *read(event: Fields): Iterable<ModelEvent> {
    const { blockReason } = fieldsOf(event.promptFeedback)
    if (typeof blockReason === 'string')
      throw new ModelError(`The provider refused the conversation: ${blockReason}.`)
    const candidate = listOf(event.candidates)[0]
    if (candidate === undefined) return
    for (const part of listOf(fieldsOf(candidate.content).parts)) yield* this.#add(part)
    const reason = candidate.finishReason
    if (typeof reason !== 'string') return
    if (WITHHELD.test(reason)) throw new ModelError(`The provider withheld the answer: ${reason}.`)
    if (reason === 'MALFORMED_FUNCTION_CALL')
      throw new ModelError('The model wrote a call that its provider could not read.')
    this.isOver = true
    this.isCut = reason === 'MAX_TOKENS'
  }

  *#add(part: Fields): Iterable<ModelEvent> {
    const call = part.functionCall
    if (isFields(call)) {
      yield {
        type: 'call',
        index: this.#calls,
        name: textOf(call.name),
        arguments: JSON.stringify(call.args ?? {}),
      }
      this.#calls += 1
      // The user's decisions about a call, and the results of parallel calls, need an id.
      this.#parts.push({ ...part, functionCall: { ...call, id: this.#ids.own(textOf(call.id)) } })
      return
    }
    const text = textOf(part.text)
    if (text !== '') yield { type: part.thought === true ? 'reasoning' : 'text', text }
    const last = this.#parts.at(-1)
    // A signed part must be sent back unchanged, so it is not merged.
    const continues = isText(part) && last !== undefined && isText(last) && last.thought === part.thought
    if (continues) this.#parts[this.#parts.length - 1] = { ...last, text: textOf(last.text) + text }
    else if (text !== '' || part.thoughtSignature !== undefined) this.#parts.push(part)
  }

  messages(): object[] {
    const isAnswer = this.#parts.some((part) => part.functionCall !== undefined || part.thought !== true)
    return isAnswer ? [{ role: 'model', parts: this.#parts }] : []
  }
}

const isText = (part: Fields) => typeof part.text === 'string' && part.thoughtSignature === undefined
