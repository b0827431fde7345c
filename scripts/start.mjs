#!/usr/bin/env node
// `npm start`: sets up, builds, shows what `trimtab inspect` says of the sample session, serves the page.
// The address is 127.0.0.1:4173, or the next free port; PORT asks for another.
import { at } from './lib/project.mjs'
import { main, show } from './lib/run.mjs'
import { serve } from './lib/serve.mjs'

async function mustShow(command) {
  if (!(await show(command))) throw new Error(`${command.slice(-2).join(' ')} failed, see above`)
}

function wantedPort() {
  const text = process.env.PORT
  if (!text) return { port: 4173 }
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error(`PORT is not a port number: ${text}`)
  return { port, exact: true }
}

await main(async () => {
  const wanted = wantedPort()
  await mustShow([at('scripts', 'setup')])
  await mustShow([process.execPath, at('scripts', 'build.mjs')])
  console.log('\n$ trimtab inspect examples/session.jsonl\n')
  await mustShow([process.execPath, at('js', 'dist', 'cli', 'main.js'), 'inspect', 'examples/session.jsonl'])
  const { address } = await serve(at('www', 'dist'), wanted)
  console.log(`\nThe page is at ${address} (Ctrl-C ends it)`)
})
