#!/usr/bin/env node
// `npm start`: sets up and builds what inspecting and the page need, shows the output of `trimtab inspect` for the
// sample session, serves the page, and builds the rest (grammars of outlines, encodings) in the background. The address
// is 127.0.0.1:4173, or the next free port; the variable PORT selects another.
import { writeFileSync } from 'node:fs'
import { at } from './lib/project.mjs'
import { capture, duration, main, show } from './lib/run.mjs'
import { serve } from './lib/serve.mjs'

const build = (...parts) => [process.execPath, at('scripts', 'build.mjs'), ...parts]

async function mustShow(command) {
  if (!(await show(command))) throw new Error(`${command.slice(1).join(' ')} failed, see above`)
}

function wantedPort() {
  const text = process.env.PORT
  if (!text) return { port: 4173 }
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error(`PORT is not a port number: ${text}`)
  return { port, exact: true }
}

/**
 * Neither the page nor an inspection waits for this. Afterwards the page is built again, since grammars are separate
 * files of it. If this program ends first, the build continues at the next start.
 */
async function buildTheRest() {
  const log = 'target/background.log'
  console.log(
    `Grammars of outlines and exact encodings are built in the background, which takes minutes once.`,
  )
  const begin = performance.now()
  const results = []
  for (const command of [
    [at('scripts', 'setup'), 'build'],
    ['nice', ...build('--outline', '--encodings', '--www')],
  ]) {
    const { code, output } = await capture(command)
    results.push(output)
    writeFileSync(at(log), results.join(''))
    if (code !== 0) return console.log(`They could not be built: ${log} says why. Nothing else needs them.`)
  }
  console.log(`Grammars and encodings are there (${duration(performance.now() - begin)}).`)
}

await main(async () => {
  const wanted = wantedPort()
  await mustShow([at('scripts', 'setup'), 'start'])
  await mustShow(build('--core', '--js'))
  console.log('\n$ trimtab inspect examples/session.jsonl\n')
  await mustShow([process.execPath, at('js', 'dist', 'cli', 'main.js'), 'inspect', 'examples/session.jsonl'])
  console.log('')
  await mustShow(build('--www'))
  const { address } = await serve(at('www', 'dist'), wanted)
  console.log(`\nThe page is at ${address} (Ctrl-C ends it)`)
  await buildTheRest()
})
