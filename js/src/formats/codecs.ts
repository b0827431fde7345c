import type { Format } from '../generated/types.js'
import type { Codec } from './codec.js'
import * as registry from './registry.js'

/** The formats in the registry. If the engine knows a format that is not in it, this does not compile. */
type Registered = (typeof registry)[keyof typeof registry]['format']

/** The codecs of all formats. */
export const CODECS: readonly Codec<Registered>[] = Object.values(registry)

const BY_FORMAT = new Map<Registered, Codec>(CODECS.map((codec) => [codec.format, codec]))

/** Returns the codec of a format. */
export function codecOf(format: Format): Codec {
  return BY_FORMAT.get(format) as Codec
}
