import type { Context } from '../context.js'
import { recallTool as definition } from '../recall.js'
import { done, failed, type Tool } from './tool.js'

/** `recall`: an original that the context cleared. */
export function recallTool(context: Pick<Context, 'answerRecall'>): Tool {
  return {
    ...definition(),
    async execute(args) {
      const answer = context.answerRecall(parsed(args))
      return answer.startsWith('Error: ') ? failed(answer) : done(answer)
    },
  }
}

function parsed(args: unknown): unknown {
  if (typeof args !== 'string') return args
  try {
    return JSON.parse(args) as unknown
  } catch {
    return {}
  }
}
