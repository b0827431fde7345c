// A chat that is left saves once more: by the worker that knows what is stored.
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'

const workers: FakeWorker[] = []

/** Answers each request at once. */
class FakeWorker {
  onmessage: ((event: { data: unknown }) => void) | null = null
  isEnded = false

  constructor() {
    workers.push(this)
  }

  postMessage(asked: { kind: string; number?: number }): void {
    if (asked.kind !== 'work') return
    queueMicrotask(() => this.onmessage?.({ data: { kind: 'answer', number: asked.number, value: true } }))
  }

  terminate(): void {
    this.isEnded = true
  }
}

vi.mock('../../www/src/chat/worker/start.js', () => ({
  NO_WORKER: 'no worker',
  startWorker: () => new FakeWorker(),
}))

// Browsers have it; Node from version 22 on.
Object.assign(Promise, {
  withResolvers() {
    let [resolve, reject]: ((value: unknown) => void)[] = []
    const promise = new Promise((...given) => {
      ;[resolve, reject] = given
    })
    return { promise, resolve, reject }
  },
})

interface Desk {
  save(conversation: { messages: object[] }, files: object): Promise<boolean>
  hold(): () => void
  close(): void
}
// By its path: the page's engine is of types that only the page's build knows.
const path = fileURLToPath(new URL('../../www/src/chat/desk.ts', import.meta.url))
const { Desk } = (await import(path)) as { Desk: new () => Desk }

test('a desk that is held keeps its worker, also when it is closed', async () => {
  const desk = new Desk()
  const save = () => desk.save({ messages: [] }, {})
  await save()
  const release = desk.hold()
  desk.close()
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([false])
  await save()
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([false])
  release()
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true])
})
