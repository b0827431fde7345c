import { cacheAware, type Format } from 'trimtab'
import { afterAll, afterEach, expect } from 'vitest'
import { Conversation } from '../../www/src/chat/agent/conversation.js'
import { memoryPlace } from '../../www/src/chat/agent/places.js'
import { runTurn } from '../../www/src/chat/agent/run-turn.js'
import { workbenchFor } from '../../www/src/chat/agent/tools.js'
import type { ProviderId } from '../../www/src/chat/models/connection.js'
import { type Fetch, networkModel } from '../../www/src/chat/models/network-model.js'
import { type ModelServer, startModelServer } from './model-server.js'

/** Starts a server for the tests of a file. In every test, each request that it received must be valid for its provider. */
export async function checkedServer(): Promise<ModelServer> {
  const server = await startModelServer()
  afterAll(() => server.close())
  afterEach(() => {
    expect(server.faults()).toEqual([])
    server.received.length = 0
  })
  return server
}

export const chatIn = (format: Format) =>
  new Conversation({ id: 'one', title: 'One', format, policy: cacheAware() })

export interface Answering {
  address: string
  model?: string
  send?: Fetch
}

/** Lets a model of the provider answer the last prompt of a conversation. */
export async function answerBy(
  conversation: Conversation,
  provider: ProviderId,
  { address, model = 'm', send = fetch }: Answering,
): Promise<void> {
  const { tools, system } = workbenchFor(conversation, memoryPlace())
  const connection = { provider, address, model, key: '', window: 32_000 }
  const { signal } = new AbortController()
  await runTurn(conversation, {
    model: networkModel(connection, send),
    tools,
    system,
    signal,
    now: () => 2000,
  })
}
