import { atOnce } from '../base/at-once.js'
import { called, check, copyOf, FUNCTION, readable, refuse } from '../base/check.js'
import { isArray } from '../base/json.js'

/** A function from messages to a view, which does not change its input. */
export type MessagePass = <M extends object>(messages: readonly M[]) => M[]

const PASS = called(FUNCTION, 'a function from messages to messages')

/**
 * Composes passes from left to right: each receives the result of the previous one. Prefer a policy with
 * several passes, which does the same in one step and in a proven order; use `compose` to insert passes of
 * the host.
 *
 * @throws {TrimtabError} `invalid_option` if one is not a function; any error of the passes.
 */
export function compose(...passes: readonly MessagePass[]): MessagePass
export function compose<M>(
  ...passes: readonly ((messages: readonly M[]) => readonly M[])[]
): (messages: readonly M[]) => M[]
export function compose<M>(
  ...passes: readonly ((messages: readonly M[]) => readonly M[])[]
): (messages: readonly M[]) => M[] {
  passes.forEach((pass, i) => {
    check(`passes[${i}]`, pass, PASS)
  })
  return (messages) => {
    const view = passes.reduce<readonly M[]>(
      (before, pass, i) => listOf(atOnce(`passes[${i}]`, pass(before)), i),
      messages,
    )
    return readable('messages', () => copyOf(view) as M[], 'invalid_messages')
  }
}

function listOf<M>(view: readonly M[], pass: number): readonly M[] {
  return isArray(view) ? view : refuse(`what passes[${pass}] returns`, 'an array of messages', view)
}
