import { ModelError, type ModelEvent } from '../agent/model.js'
import { type AnswerReader, type Fields, fieldsOf, isFields, listOf, textOf, type Wire } from './wire.js'

/** Gemini's streamed `generateContent`. */
export const gemini: Wire = {
  format: 'gemini',
  request({ model, key }, { messages, system, tools }) {
    return {
      path: `/models/${encodeURIComponent(model.replace(/^models\//, ''))}:streamGenerateContent?alt=sse`,
      headers: key === '' ? {} : { 'x-goog-api-key': key },
      body: {
        contents: messages,
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
  reader: () => new PartReader(),
}

/** Finish reasons that mean that the answer was withheld. */
const WITHHELD = /SAFETY|RECITATION|BLOCKLIST|PROHIBITED|SPII|LANGUAGE/

class PartReader implements AnswerReader {
  isOver = false
  isCut = false
  #calls = 0
  readonly #parts: Fields[] = [];

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
      this.#parts.push(part)
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
