import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { loadSession, saveSession, unstorageStore } from 'trimtab/sessions'
import { createStorage } from 'unstorage'
import redisDriver from 'unstorage/drivers/redis'
import { expect, test } from 'vitest'
import { scratchFolder } from '../workspace/folder.js'
import { hasRedis, startRedis } from './redis.js'

/** Total number of messages; `npm run laws -- --only redis` for 10,000. */
const MESSAGES = Math.min(Number(process.env.TRIMTAB_CASES ?? 300), 10_000)
const WRITERS = ['left', 'right']
const writer = fileURLToPath(new URL('redis-writer.mjs', import.meta.url))

if (!hasRedis) console.log('sessions through Redis: skipped, redis-server is not installed')

test.skipIf(!hasRedis)('ephemeral content is never stored in Redis', async () => {
  const redis = await startRedis(scratchFolder())
  const storage = createStorage({ driver: redisDriver({ path: redis.path }) })
  try {
    const store = unstorageStore({ storage })
    const call = { id: 'c', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }
    const result = {
      role: 'tool',
      tool_call_id: 'c',
      content: 'must go '.repeat(50),
      metadata: { ephemeral: true },
    }
    const history: object[] = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: '', tool_calls: [call] },
    ]
    await saveSession(store, 's', { history })
    await saveSession(store, 's', { history: [...history, result] })
    await saveSession(store, 's', { history: [...history.slice(1), result] })
    const values = (await Promise.all((await storage.getKeys()).map((key) => storage.getItemRaw(key)))).join(
      '\n',
    )
    expect(values).toContain('read_file')
    expect(values).not.toContain('must go')
  } finally {
    await storage.dispose()
    await redis.stop()
  }
})

test.skipIf(!hasRedis)(
  `${WRITERS.length} processes add ${MESSAGES} messages to one session through Redis: none is lost`,
  { timeout: 3_600_000 },
  async () => {
    const redis = await startRedis(scratchFolder())
    const storage = createStorage({ driver: redisDriver({ path: redis.path, scanCount: 1000 }) })
    try {
      await saveSession(unstorageStore({ storage }), 'shared', { history: [] })
      const each = MESSAGES / WRITERS.length
      const outputs = await Promise.all(
        WRITERS.map((name) =>
          promisify(execFile)(process.execPath, [writer, redis.path, name, String(each), ...WRITERS]),
        ),
      )
      const told = outputs.map(({ stdout }) => JSON.parse(stdout) as Record<string, number>)
      const loaded = await loadSession<{ content: string }>(unstorageStore({ storage }), 'shared')
      const contents = loaded?.session.history.map(({ content }) => content) ?? []
      const turns = contents.filter((content, i) => content[0] !== contents[i - 1]?.[0]).length
      console.log(`${contents.length} messages in ${turns} runs of one writer; told: ${JSON.stringify(told)}`)
      expect(contents).toHaveLength(MESSAGES)
      expect(turns).toBeGreaterThanOrEqual(MESSAGES / 25)
      for (const name of WRITERS) {
        const mine = contents.filter((content) => content.startsWith(`${name} `))
        expect(mine).toEqual(Array.from({ length: each }, (_, i) => `${name} ${i + 1}`))
      }
      expect(loaded?.unmerged).toEqual([])
      expect(told.reduce((sum, { conflicts = 0 }) => sum + conflicts, 0)).toBeGreaterThan(0)
      // Of two concurrent saves, at least one is told.
      const concurrent = told.reduce((sum, { concurrent = 0 }) => sum + concurrent, 0)
      if ((loaded?.merged ?? 0) > 0) expect(concurrent).toBeGreaterThan(0)
    } finally {
      await storage.dispose()
      await redis.stop()
    }
  },
)
