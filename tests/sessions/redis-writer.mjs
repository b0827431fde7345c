// One of several processes that add to one session: each message is saved, however often another was there first.
import { TrimtabError } from 'trimtab'
import { loadSession, saveSession, unstorageStore } from 'trimtab/sessions'
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

/** So far nobody gets ahead of another: else the faster one writes all of its messages while the other loads. */
const AHEAD = 10

/** Says how many messages are saved, and waits until all have begun and nobody is too far behind. */
async function keepStep(saved) {
  await storage.setItem(`saved:${name}`, saved)
  const isBehind = ({ value }) => value === null || Number(value) < saved - AHEAD
  while ((await storage.getItems(all.map((one) => `saved:${one}`))).some(isBehind)) {
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

await keepStep(0)
await load()
for (let number = 1; number <= Number(count); number++) {
  for (let isSaved = false; !isSaved; ) {
    const next = [...history, { role: 'user', content: `${name} ${number}` }]
    try {
      const { concurrent } = await saveSession(store, 'shared', { history: next })
      isSaved = true
      history = next
      if (concurrent) told.concurrent++
      await keepStep(number)
    } catch (error) {
      if (!(error instanceof TrimtabError) || error.code !== 'conflict') throw error
      told.conflicts++
      await load()
    }
  }
}
console.log(JSON.stringify(told))
await storage.dispose()
