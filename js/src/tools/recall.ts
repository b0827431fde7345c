import { recallTool as definition, recallText } from '../history/recall.js'
import type { Context } from '../projection/context.js'
import { done, failed, type Tool } from './tool.js'

/** Interface that the tool `recall` calls: a {@link Context}, or an object that calls one in another thread. */
export interface Recaller {
  answerRecall(args: unknown): ReturnType<Context['answerRecall']> | Promise<string | object>
}

/** `recall`: returns an original that the context cleared. */
export function recallTool(context: Recaller): Tool {
  return {
    ...definition(),
    async execute(args) {
      const answer = recallText(await context.answerRecall(args))
      return answer.startsWith('Error: ') ? failed(answer) : done(answer)
    },
  }
}
