import * as fs from 'node:fs/promises'
import { fileStore, memoryStore, type SessionStore, unstorageStore } from 'trimtab/sessions'
import { createStorage, type Storage } from 'unstorage'
import fsDriver from 'unstorage/drivers/fs-lite'
import { filesBelow } from '../package/consumer.js'
import { scratchFolder } from '../workspace/folder.js'

/** A kind of store: opens further stores on the same data, as other processes do, and returns all stored text. */
export interface Place {
  open(): SessionStore
  texts(): Promise<string>
}

const keyed = (storage: Storage): Place => ({
  open: () => unstorageStore({ storage }),
  texts: async () => {
    const keys = await storage.getKeys('')
    return (await Promise.all(keys.map((key) => storage.getItemRaw(key)))).join('\n')
  },
})

const folderText = async (folder: string) => {
  const texts = filesBelow(folder).map((file) => fs.readFile(`${folder}/${file}`, 'utf8'))
  return (await Promise.all(texts)).join('\n')
}

/** Every kind of store that runs in Node. */
export const places: [string, () => Place][] = [
  [
    'memory',
    () => {
      const store = memoryStore()
      // A separate object for each user, so that the state kept for one does not affect another.
      const open = () => ({
        ...store,
      })
      return {
        open,
        texts: async () => {
          const ids = await store.list()
          const sessions = await Promise.all(ids.map((id) => store.read(id)))
          return sessions.flatMap((session) => session?.entries ?? []).join('\n')
        },
      }
    },
  ],
  [
    'files',
    () => {
      const folder = `${scratchFolder()}/sessions`
      return { open: () => fileStore({ fs, folder }), texts: () => folderText(folder) }
    },
  ],
  ['unstorage in memory', () => keyed(createStorage())],
  ['unstorage in files', () => keyed(createStorage({ driver: fsDriver({ base: scratchFolder() }) }))],
]
