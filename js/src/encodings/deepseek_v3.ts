import { named } from '../encoding/named.js'
import { vocabulary } from '../encoding/vocabularies/deepseek_v3.js'

/** `deepseek_v3`: DeepSeek V3 and R1. */
export const loadEncoding = named('deepseek_v3', vocabulary)
