import { coreModule } from '../../engine/core.js'
import type { Asked } from './protocol.js'

/** Starts a worker with the engine that the page has compiled. */
export function startWorker(): Worker {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  void coreModule.then((module) => worker.postMessage({ kind: 'core', module } satisfies Asked))
  return worker
}
