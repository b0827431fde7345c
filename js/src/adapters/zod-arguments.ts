import type { ToolParameters } from '../history/recall.js'
import type { RecallArguments } from './tool-schema.js'

/** What is used of zod, which hosts bring along whose tools take nothing else; `Schema` is zod's own type of one. */
export interface Zod<Schema> {
  string(): object
  number(): { optional(): { describe(text: string): Schema } }
}

/** Arguments of the tool `recall` as a shape of zod's. */
export type ZodArguments<Schema> = Record<keyof RecallArguments, Schema>

/** What strings of zod have; its overloads hide that from TypeScript. */
interface ZodString<Schema> {
  describe(text: string): Schema
  optional(): ZodString<Schema>
}

/** The shape, with what the model is told of each argument. */
export function zodArguments<Schema>(zod: Zod<Schema>, { properties }: ToolParameters): ZodArguments<Schema> {
  const about = (name: keyof RecallArguments) => (properties[name] as { description: string }).description
  const text = zod.string() as ZodString<Schema>
  const number = zod.number().optional()
  return {
    reference: text.describe(about('reference')),
    offset: number.describe(about('offset')),
    limit: number.describe(about('limit')),
    pattern: text.optional().describe(about('pattern')),
  }
}
