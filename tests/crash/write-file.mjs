// Writes one file again and again until it is killed; prints the number of each version written.
import { writeSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { createWorkspace } from 'trimtab/workspace'
import { versionText } from './version-text.mjs'

const [root, start] = process.argv.slice(2)
const workspace = createWorkspace({ fs, root })
writeSync(1, 'ready\n')
for (let number = Number(start) + 1; ; number++) {
  await workspace.writeFile('file.txt', versionText(number))
  writeSync(1, `${number}\n`)
}
