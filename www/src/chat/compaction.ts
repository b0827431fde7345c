import type { Conversation } from './agent/conversation.js'
import { reasonOf } from './agent/reason.js'
import { costOf } from './agent/requests.js'
import type { Compacted, NotCompacted } from './agent/segments.js'
import { tokensOf } from './agent/tokens-of.js'
import { Desk } from './desk.js'
import { filesToSave, folder, workIn } from './files.js'
import { noteLoaded, saveChat, saveNow } from './keeping.js'
import { currentModel } from './models/current.js'
import { newId } from './new-id.js'
import { type Offer, offered } from './offer.js'
import { notice } from './opening.js'
import { type Place, place } from './place.js'
import { entryOf } from './session-index.js'
import { deskOf, goOnIn, openConversation, prices, shown, startWork } from './state.js'
import { viewed } from './viewed.js'

/** Number of newest messages that are not summarized. */
const KEEP = 10

const REASONS: Readonly<Record<NotCompacted, string>> = {
  'nothing-to-drop': `There is nothing to compact: the newest ${KEEP} messages stay as they are.`,
  'no-gain': 'There is nothing to compact: a summary would be as long as what it stands for.',
}

/** Computes which messages a summary would replace, and offers it to the user. */
export async function offerCompaction(): Promise<void> {
  const { conversation } = shown.peek()
  try {
    // Ephemeral results are in no summary.
    await conversation.endTurn()
    const made = await conversation.compact({ keep: KEEP })
    if (typeof made === 'string') notice.value = REASONS[made]
    else offered.value = { conversation, messages: conversation.messages, made }
  } catch (error) {
    notice.value = `This chat cannot be compacted: ${reasonOf(error)}`
  }
}

/** Replaces the messages with the summary: one written by the model, or one built without a model. */
export async function compactNow({ conversation, made: offer }: Offer, asksModel: boolean): Promise<void> {
  offered.value = null
  const signal = startWork()
  const { messages } = conversation
  conversation.doing('Summarizing')
  try {
    const made = asksModel ? await summarized(conversation, offer, signal) : offer
    signal.throwIfAborted()
    const id = newId()
    saveNow()
    await deskOf(conversation).save({ ...conversation.toJSON(), id }, {})
    if (conversation.messages !== messages) throw new Error('it has changed meanwhile')
    const next = conversation.compacted(made, { id, cost: costOfAll(conversation, made, asksModel) })
    await goOnIn(next)
    await saveChat(next)
    if (made.failure !== undefined)
      notice.value = `The summary was put together without the model: ${made.failure}`
  } catch (error) {
    if (!signal.aborted) notice.value = `This chat was not compacted: ${reasonOf(error)}`
  } finally {
    conversation.doing(null)
  }
}

async function summarized(conversation: Conversation, offer: Compacted, signal: AbortSignal) {
  const { answerTo } = await import('./agent/answer-to.js')
  const summary = await answerTo(await currentModel(), offer.prompt, signal)
  if (summary === null) return { ...offer, failure: 'it reached its token limit before the end.' }
  const made = await conversation.compact({ keep: KEEP, summary })
  if (typeof made === 'string') throw new Error(REASONS[made])
  return made
}

/** Returns the cost of the requests so far, plus that of the model's summary. */
function costOfAll({ requests }: Conversation, { prompt }: Compacted, asksModel: boolean) {
  const { sent, full } = costOf(requests, prices.peek())
  return { sent: sent + (asksModel ? tokensOf(prompt) : 0), full }
}

/**
 * Opens a segment of the chat, by its index from 0, at its end or at a place: an earlier one read-only, or the last
 * one, which can be continued.
 */
export async function openSegment(at: number, wanted: Place | null = null): Promise<void> {
  const { conversation } = shown.peek()
  const { chat, earlier } = viewed.peek() ?? { chat: conversation.id, earlier: conversation.earlier }
  const id = earlier[at]?.id ?? chat
  const desk = new Desk()
  try {
    saveNow()
    const chosen = folder.peek()
    const files = await filesToSave()
    const saves = entryOf(id)?.saves
    const loaded = await desk.load(id)
    if (loaded === null) throw new Error('it is not kept any more')
    noteLoaded(loaded.conversation, saves)
    workIn(loaded.conversation, chosen)
    openConversation(loaded.conversation, files, chat)
    if (at < earlier.length) viewed.value = { chat, earlier, at }
    place.value = wanted === null ? null : { ...wanted, chat: loaded.conversation.id }
  } catch (error) {
    desk.close()
    notice.value = `The segment cannot be opened: ${reasonOf(error)}`
  }
}
