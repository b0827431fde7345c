// A byte order mark is no part of a file's text: an index with marks is the same as one without.

import { createIndex, type FileIndex } from 'trimtab/index'
import { outline } from 'trimtab/outline'
import { describe, expect, test } from 'vitest'

const FILES: [path: string, text: string][] = [
  ['src/ports', 'class Store {\n  open() {}\n}\n'],
  ['src/hidden.py', 'def listen(port):\n  return open(port)\n'],
  ['src/server.js', 'import { listen, Store } from "./ports.js"\n\nlisten(80); new Store(); \n'],
  ['old.txt', 'start\r\nthe server\r\n'],
  ['empty.txt', ''],
]

const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'))
const swapped = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le').swap16())
const FORMS: [name: string, marked: (text: string) => string | Uint8Array][] = [
  ['a string', (text) => `\ufeff${text}`],
  ['UTF-8', (text) => new TextEncoder().encode(`\ufeff${text}`)],
  ['UTF-16, low byte first', (text) => utf16(`\ufeff${text}`)],
  ['UTF-16, high byte first', (text) => swapped(`\ufeff${text}`)],
]

async function filled(form: (text: string) => string | Uint8Array, isOutlined: boolean): Promise<FileIndex> {
  const index = createIndex()
  for (const [path, text] of FILES) {
    const content = form(text)
    const { sections } = await outline(path, content)
    index.add({ path, content, ...(isOutlined && { sections }) })
  }
  return index
}

describe.each(FORMS)('a mark in %s', (_, marked) => {
  test.each([false, true])('changes nothing (with sections: %s)', async (isOutlined) => {
    const plain = await filled((text) => text, isOutlined)
    const index = await filled(marked, isOutlined)
    for (const [path, text] of FILES) {
      expect(index.content(path)).toBe(text)
      expect(index.lines(path)).toEqual(plain.lines(path))
      expect(index.digest(path, 'open the store')).toEqual(plain.digest(path, 'open the store'))
      // Another form of the same text is no other version.
      if (!isOutlined) expect(index.add({ path, content: text })).toBe(false)
    }
    for (const text of ['start the server', 'class store', 'listen']) {
      expect(index.query(text)).toEqual(plain.query(text))
    }
    expect(index.lines('empty.txt')).toEqual([])
  })

  test('is removed once: a second one is text', () => {
    const index = createIndex()
    index.add({ path: 'a', content: marked('\ufeffa\n') })
    expect(index.lines('a')).toEqual(['\ufeffa'])
  })

  test('is removed from a file outside the index', () => {
    const index = createIndex()
    const digest = index.digest({ path: 'a', content: marked('class Store {\n}\n') }, 'store')
    expect(digest).toEqual(index.digest({ path: 'a', content: 'class Store {\n}\n' }, 'store'))
  })
})
