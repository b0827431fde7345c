import type { ToolParameters } from '../history/recall.js'
import type { RecallArguments } from './tool-schema.js'

/**
 * The part of zod that is used. Hosts whose tools accept only zod schemas provide it; `Schema` is zod's type
 * of a schema.
 */
export interface Zod<Schema> {
  string(): object
  number(): { optional(): { describe(text: string): Schema } }
}

/** Arguments of the tool `recall`, as a zod shape. */
export type ZodArguments<Schema> = Record<keyof RecallArguments, Schema>

/** Methods of zod's strings, which its overloads hide from TypeScript. */
interface ZodString<Schema> {
  describe(text: string): Schema
  optional(): ZodString<Schema>
}

/** Returns the shape, with the descriptions for the model. */
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
