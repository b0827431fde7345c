import { named } from '../encoding/named.js'
import { vocabulary } from '../encoding/vocabularies/o200k_base.js'

/** `o200k_base`: GPT-4o and later models of OpenAI. */
export const loadEncoding = named('o200k_base', vocabulary)
