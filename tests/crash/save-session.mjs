// Adds turns to a session and saves each of them, until it is killed; every seventh save drops old turns.
// Prints the number of each saved turn.
import { writeSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { fileStore, loadSession, saveSession } from 'trimtab/sessions'
import { stateOf, turn } from './turn.mjs'

const [folder] = process.argv.slice(2)
const store = fileStore({ fs, folder })
const loaded = await loadSession(store, 'session')
let history = loaded?.session.history ?? []
writeSync(1, 'ready\n')
for (let number = history.length === 0 ? 1 : Number(history.at(-1).content.split(' ')[1]) + 1; ; number++) {
  // Keep the last turns only: this save is a checkpoint, and the file is rewritten once that pays.
  if (number % 7 === 0) history = history.slice(-6)
  history = [...history, ...turn(number)]
  await saveSession(store, 'session', { history, state: stateOf(number) })
  writeSync(1, `${number}\n`)
}
