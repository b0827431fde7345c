// One of several processes that append to one session: retries each save until it succeeds.
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

/**
 * Maximum lead of a process over the others: without it, the faster one would write all its messages while the other
 * loads.
 */
const AHEAD = 10

/** Publishes the number of saved messages, and waits until all processes have started and none is too far behind. */
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
