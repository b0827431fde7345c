import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { pages } from './browser.js'
import { isStored, say } from './talk.js'

const openPage = pages()

async function open(): Promise<Page> {
  const { page } = await openPage({ width: 1280, height: 860, path: '/' })
  await page.waitForSelector('#composer')
  return page
}

/** Returns the texts of the files below a folder of the browser's file system, by path. */
const filesBelow = (page: Page, folder: string) =>
  page.evaluate(async (name) => {
    const found: Record<string, string> = {}
    const walk = async (at: FileSystemDirectoryHandle, path: string) => {
      for await (const [entry, handle] of at.entries()) {
        if (handle.kind === 'directory') await walk(handle as FileSystemDirectoryHandle, `${path}${entry}/`)
        else found[path + entry] = await (await (handle as FileSystemFileHandle).getFile()).text()
      }
    }
    try {
      await walk(await (await navigator.storage.getDirectory()).getDirectoryHandle(name), '')
    } catch {
      // The folder does not exist.
    }
    return found
  }, folder)

/** Returns the stored chats as text. */
const storedText = (page: Page) =>
  page.evaluate(async () => {
    const names = (await indexedDB.databases()).flatMap(({ name }) => name ?? [])
    const texts: string[] = []
    for (const name of names) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name)
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
      for (const store of database.objectStoreNames) {
        const all = await new Promise<unknown[]>((resolve, reject) => {
          const request = database.transaction(store).objectStore(store).getAll()
          request.onsuccess = () => resolve(request.result)
          request.onerror = () => reject(request.error)
        })
        texts.push(
          JSON.stringify(all, (_, value) =>
            value instanceof Uint8Array ? new TextDecoder().decode(value) : value,
          ),
        )
      }
      database.close()
    }
    return texts.join('\n')
  })

async function expectNotesAfterReload(page: Page, text: string): Promise<void> {
  await page.reload()
  await page.waitForSelector('.row-text')
  await say(page, 'read notes.md')
  await page.locator('.card:has-text("read_file") summary').last().click()
  await expect.poll(() => page.locator('.card-body .lines').last().textContent()).toContain(text)
}

test('files are kept in the origin private file system, and deleted with their chat', async () => {
  const page = await open()
  await say(page, 'write notes.md: kept by the browser')
  await isStored(page)
  const paths = Object.entries(await filesBelow(page, 'trimtab-workspaces'))
  const [path = '', text] = paths.find(([name]) => name.endsWith('/files/notes.md')) ?? []
  expect(text).toContain('kept by the browser')
  // The history also has what the agent wrote; no copy of the file is saved beside it.
  const stored = await storedText(page)
  expect(stored).toContain('kept by the browser')
  expect(stored).not.toMatch(/files\W+notes\.md/)

  await expectNotesAfterReload(page, 'kept by the browser')

  await page.locator('.user-line').last().hover()
  await page.getByRole('button', { name: 'Edit and branch' }).last().click()
  await page.fill('[aria-label="Edit message"]', 'write notes.md: of the branch')
  await page.getByRole('button', { name: 'Branch', exact: true }).click()
  await expect
    .poll(async () => Object.values(await filesBelow(page, 'trimtab-workspaces')).join())
    .toContain('of the branch')
  expect((await filesBelow(page, 'trimtab-workspaces'))[path]).toContain('kept by the browser')

  await page.getByRole('button', { name: 'write notes.md: kept by the browser' }).click()
  // Only the open chat has these buttons: wait until this one is open.
  await page.waitForSelector('.session-button[aria-current="true"]:has-text("kept by the browser")')
  await page.click('text=Delete…')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect
    .poll(async () => Object.keys(await filesBelow(page, 'trimtab-workspaces')).includes(path))
    .toBe(false)
  // A file that is being written is empty for a moment.
  await expect
    .poll(async () => Object.values(await filesBelow(page, 'trimtab-workspaces')).join())
    .toContain('of the branch')
}, 90_000)

test('without an origin private file system files are saved with the chat', async () => {
  const page = await open()
  await page.addInitScript(() => {
    Object.defineProperty(navigator.storage, 'getDirectory', { value: undefined })
  })
  await page.reload()
  await page.waitForSelector('#composer')
  await say(page, 'write notes.md: kept with the chat')
  await isStored(page)
  await expectNotesAfterReload(page, 'kept with the chat')
}, 60_000)

test('the agent reads a folder that the user opens, and writes to it when they allow it', async () => {
  const page = await open()
  // Programs cannot use the browser's dialog: a folder of the browser's file system replaces the user's.
  await page.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('mine', { create: true })
    const writable = await (await folder.getFileHandle('hello.md', { create: true })).createWritable()
    await writable.write('Hello from a folder.')
    await writable.close()
    Object.assign(globalThis, { showDirectoryPicker: async () => folder })
  })
  await page.getByRole('button', { name: 'Open folder…' }).click()
  await expect.poll(() => page.textContent('.composer-hint')).toContain('the folder mine')
  expect(await page.locator('.asks input').isDisabled()).toBe(true)
  await say(page, 'read hello.md')
  await page.locator('.card:has-text("read_file") summary').click()
  await expect.poll(() => page.locator('.card-body .lines').textContent()).toContain('Hello from a folder.')

  await page.fill('#composer', 'write new.md: allowed')
  await page.press('#composer', 'Enter')
  await page.waitForSelector('.approval')
  expect(await filesBelow(page, 'mine')).toEqual({ 'hello.md': 'Hello from a folder.' })
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await expect.poll(async () => (await filesBelow(page, 'mine'))['new.md']).toContain('allowed')
}, 60_000)
