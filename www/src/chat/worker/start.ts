import { coreModule } from '../../engine/core.js'
import type { Asked } from './protocol.js'

/** Why work failed if its worker reports an error: it could not be loaded, or it ended. */
export const NO_WORKER =
  'The worker that does this for the page could not be started, or has ended. Try again, or reload the page.'

/** Starts a worker with the engine that the page has compiled. */
export function startWorker(): Worker {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  void coreModule.then((module) => worker.postMessage({ kind: 'core', module } satisfies Asked))
  return worker
}
