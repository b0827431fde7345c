import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Whether `redis-server` is installed: `scripts/setup` installs it if it can. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0

/** Starts a separate Redis: on a socket in `folder`, with nothing on disk. */
export async function startRedis(folder: string): Promise<{ path: string; stop(): Promise<void> }> {
  const path = `${folder}/redis.sock`
  const options = ['--port', '0', '--unixsocket', path, '--save', '', '--appendonly', 'no', '--dir', folder]
  const server: ChildProcess = spawn('redis-server', options, { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => {
    server.on('exit', () => resolve())
  })
  for (let i = 0; !existsSync(path); i++) {
    if (i > 200 || server.exitCode !== null) throw new Error('redis-server does not start')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    path,
    stop: async () => {
      server.kill('SIGTERM')
      await ended
    },
  }
}
