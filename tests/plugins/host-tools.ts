// Stand-ins for what hosts use to define tools: zod, and opencode's `tool`.
import type { OpencodeOutput } from 'trimtab/opencode'

/** A schema that records how it was built. */
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
