import type { Format } from '../generated/types.js'
import type { Codec } from './codec.js'
import * as registry from './registry.js'

/** The formats that have a line in the registry: all that the engine knows, or this does not compile. */
type Registered = (typeof registry)[keyof typeof registry]['format']

/** What each format can do. */
export const CODECS: readonly Codec<Registered>[] = Object.values(registry)

const BY_FORMAT = new Map<Registered, Codec>(CODECS.map((codec) => [codec.format, codec]))

/** What a format can do. */
export function codecOf(format: Format): Codec {
  return BY_FORMAT.get(format) as Codec
}
