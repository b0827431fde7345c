import { named } from '../encoding/named.js'
import { vocabulary } from '../encoding/vocabularies/o200k_base.js'

/** `o200k_harmony`: gpt-oss, with the special tokens of its chat format. */
export const loadEncoding = named('o200k_harmony', vocabulary)
