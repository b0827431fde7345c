import { named } from '../encoding/named.js'
import { vocabulary } from '../encoding/vocabularies/deepseek_v3.js'

/** `deepseek_v4`: DeepSeek V4, with its special tokens. */
export const loadEncoding = named('deepseek_v4', vocabulary)
