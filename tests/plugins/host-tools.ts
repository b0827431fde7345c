// What hosts bring along to make tools with: a stand-in for zod, and for opencode's `tool`.
import type { OpencodeOutput } from 'trimtab/opencode'

/** A schema that says what was asked of it. */
export interface Schema {
  type: string
  about: string
  isOptional: boolean
  describe(about: string): Schema
  optional(): Schema
}

const schema = (type: string, about = '', isOptional = false): Schema => ({
  type,
  about,
  isOptional,
  describe: (text) => schema(type, text, isOptional),
  optional: () => schema(type, about, true),
})

export const z = { string: () => schema('string'), number: () => schema('number') }

interface Definition {
  description: string
  args: Record<string, Schema>
  execute(args: object, context: { sessionID: string }): Promise<OpencodeOutput>
}

export const tool = Object.assign((definition: Definition) => definition, { schema: z })
