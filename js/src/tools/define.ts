import { check, checkOptional, OBJECT, readable, SIGNAL } from '../base/check.js'
import { TrimtabError } from '../base/error.js'
import { type ArgumentsOf, checkArguments, type ParametersSchema, type Properties } from './arguments.js'
import { wordsOf } from './failure-words.js'
import { type ExecuteOptions, failed, type Tool, type ToolResult } from './tool.js'

export interface Definition<P extends Properties, R extends keyof P & string, M extends R = never> {
  name: string
  description: string
  parameters: ParametersSchema<P, R>
  /** Required arguments whose absence `run` reports itself. */
  mayMiss?: readonly M[]
  /** Runs with arguments that match the schema. May throw a {@link TrimtabError}, which becomes the result. */
  run(args: ArgumentsOf<P, Exclude<R, M>>, options: ExecuteOptions): Promise<ToolResult>
}

/** Defines a tool whose arguments are checked before it runs, and whose errors are returned as results. */
export function defineTool<P extends Properties, R extends keyof P & string, M extends R = never>(
  definition: Definition<P, R, M>,
): Tool {
  const { name, description, parameters, mayMiss = [], run } = definition
  return {
    name,
    description,
    parameters,
    async execute(given, options = {}) {
      // Agent frameworks pass additional fields.
      check('options', options, OBJECT)
      const signal = checkOptional(
        'signal',
        readable('options', () => options.signal),
        SIGNAL,
      )
      try {
        const checked = readable('args', () => checkArguments(name, parameters, given, mayMiss))
        if ('problem' in checked) return failed(checked.problem)
        return await run(checked.args as ArgumentsOf<P, R>, signal === undefined ? {} : { signal })
      } catch (error) {
        if (error instanceof TrimtabError) return failed(wordsOf(error) + adviceOn(error))
        throw error
      }
    },
  }
}

function adviceOn({ argument, code }: TrimtabError): string {
  if (argument === 'root' || argument === 'section') return ''
  if (code === 'not_found') return '. Use list_files to see what there is.'
  if (code === 'not_a_file') return '. Use list_files to see what is in a folder.'
  return ''
}
