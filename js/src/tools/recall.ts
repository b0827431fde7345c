import { answerRecall, recallTool as definition, recallText } from '../history/recall.js'
import type { Context } from '../projection/context.js'
import { done, failed, type Tool } from './tool.js'

/** Interface that the tool `recall` calls: a {@link Context}, or an object that calls one in another thread. */
export interface Recaller {
  answerRecall(args: unknown): ReturnType<Context['answerRecall']> | Promise<string | object>
  /**
   * As {@link Context.recall}. Without it, an answer of `answerRecall` that starts with `Error: ` counts as failed, even
   * if it is the text of an original.
   */
  recall?: Context['recall'] | undefined
}

/** `recall`: returns an original that the context cleared. */
export function recallTool(context: Recaller): Tool {
  return {
    ...definition(),
    async execute(args) {
      const { answer, isError } = await answerOf(context, args)
      const text = recallText(answer)
      // Images and files cannot be shown.
      return isError || text !== answer ? failed(text) : done(text)
    },
  }
}

async function answerOf(
  context: Recaller,
  args: unknown,
): Promise<{ answer: string | object; isError: boolean }> {
  const recall = context.recall?.bind(context)
  if (recall !== undefined) {
    let isFound = false
    const recallBy: Context['recall'] = (...asked) => {
      const found = recall(...asked)
      isFound = true
      return found
    }
    return { answer: answerRecall(recallBy, args), isError: !isFound }
  }
  const answer = await context.answerRecall(args)
  return { answer, isError: typeof answer === 'string' && answer.startsWith('Error: ') }
}
