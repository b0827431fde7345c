import { named } from '../encoding/named.js'
import { vocabulary } from '../encoding/vocabularies/cl100k_base.js'

/** `cl100k_base`: GPT-4 and GPT-3.5 Turbo. */
export const loadEncoding = named('cl100k_base', vocabulary)
