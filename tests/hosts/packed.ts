// The packed package as installed in a project, and the results of its eight functions in this Node.
import { afterAll, beforeAll } from 'vitest'
import { type Consumer, makeConsumer } from '../package/consumer.js'

interface Packed {
  readonly consumer: Consumer
  readonly expected: unknown
}

/** Makes the project before the tests of a file and removes it after them. */
export function packed(): Packed {
  let consumer: Consumer | undefined
  let expected: unknown
  beforeAll(async () => {
    consumer = await makeConsumer()
    expected = JSON.parse(await consumer.node('hosts/print.js'))
  })
  afterAll(() => consumer?.remove())
  return {
    get consumer() {
      return consumer as Consumer
    },
    get expected() {
      return expected
    },
  }
}
