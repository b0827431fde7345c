import type { ToolParameters } from '../history/recall.js'

/** Arguments of the tool `recall`. */
export interface RecallArguments {
  /** The 8 digits of a stub. */
  reference: string
  /** The first line, from 1; a negative one counts from the end. */
  offset?: number
  /** Maximum number of lines. */
  limit?: number
  /** Only lines that contain this text. */
  pattern?: string
}

/**
 * A tool's arguments in the two interfaces of standardschema.dev, which frameworks accept instead of a
 * library's schema: JSON Schema for the model, and a validator that accepts everything, because the tool
 * itself reports errors.
 */
export interface ToolSchema<T> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: T; readonly output: T } | undefined
    readonly validate: (value: unknown) => { readonly value: T; readonly issues?: undefined }
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>
      readonly output: () => Record<string, unknown>
    }
  }
}

/** Wraps JSON Schema as a {@link ToolSchema}. */
export function toolSchema<T>(parameters: ToolParameters): ToolSchema<T> {
  const validate = (value: unknown) => ({ value: value as T })
  const schema = () => ({ ...parameters })
  return {
    '~standard': { version: 1, vendor: 'trimtab', validate, jsonSchema: { input: schema, output: schema } },
  }
}
