import { TrimtabError } from '../base/error.js'
import { refuseOption } from '../base/refuse.js'

/** A pass over messages of any host: gives back a view, without changing what it was given. */
export type MessagePass = <M extends object>(messages: readonly M[]) => M[]

/**
 * One pass of several, from left to right: each is given what the one before it made. A policy with several passes says
 * the same in one go, in an order that is known to be good: `compose` is for passes of the host's own between.
 *
 * @throws {TrimtabError} `invalid_option` for what is no function; what the passes throw.
 */
export function compose(...passes: readonly MessagePass[]): MessagePass
export function compose<M>(
  ...passes: readonly ((messages: readonly M[]) => readonly M[])[]
): (messages: readonly M[]) => M[]
export function compose<M>(
  ...passes: readonly ((messages: readonly M[]) => readonly M[])[]
): (messages: readonly M[]) => M[] {
  passes.forEach((pass, i) => {
    if (typeof pass === 'function') return
    const message = `passes[${i}] must be a function from messages to messages, found ${typeof pass}`
    throw new TrimtabError('invalid_option', message, { argument: `passes[${i}]` })
  })
  return (messages) => passes.reduce<readonly M[]>((view, pass, i) => listOf(pass(view), i), messages).slice()
}

function listOf<M>(view: readonly M[], pass: number): readonly M[] {
  if (Array.isArray(view)) return view
  return refuseOption(`what passes[${pass}] returns`, 'an array of messages', view)
}
