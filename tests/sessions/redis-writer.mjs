// One of several processes that add to one session: each message is saved, however often another was there first.
import { loadSession, saveSession, TrimtabError, unstorageStore } from 'trimtab'
import { createStorage } from 'unstorage'
import redisDriver from 'unstorage/drivers/redis'

const [path, name, count, ...all] = process.argv.slice(2)
const storage = createStorage({ driver: redisDriver({ path, scanCount: 1000 }) })
const store = unstorageStore({ storage })
const told = { conflicts: 0, concurrent: 0, merged: 0 }

let history = []
async function load() {
  const loaded = await loadSession(store, 'shared')
  told.merged = Math.max(told.merged, loaded.merged)
  history = loaded.session.history
}

// All begin at once, however long it takes each to start.
await storage.setItem(`ready:${name}`, 'yes')
while ((await storage.getItems(all.map((one) => `ready:${one}`))).some(({ value }) => value === null)) {
  await new Promise((resolve) => setTimeout(resolve, 2))
}
await load()
for (let number = 1; number <= Number(count); number++) {
  for (let isSaved = false; !isSaved; ) {
    const next = [...history, { role: 'user', content: `${name} ${number}` }]
    try {
      const { concurrent } = await saveSession(store, 'shared', { history: next })
      isSaved = true
      history = next
      if (concurrent) told.concurrent++
    } catch (error) {
      if (!(error instanceof TrimtabError) || error.code !== 'conflict') throw error
      told.conflicts++
      await load()
    }
  }
}
console.log(JSON.stringify(told))
await storage.dispose()
