import { recallTool as definition, recallText } from '../history/recall.js'
import type { Context } from '../projection/context.js'
import { done, failed, type Tool } from './tool.js'

/** `recall`: an original that the context cleared. */
export function recallTool(context: Pick<Context, 'answerRecall'>): Tool {
  return {
    ...definition(),
    async execute(args) {
      const answer = recallText(context.answerRecall(args))
      return answer.startsWith('Error: ') ? failed(answer) : done(answer)
    },
  }
}
