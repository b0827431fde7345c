import { named } from '../encoding/named.js'
import { vocabulary } from '../encoding/vocabularies/qwen2.js'

/** `qwen2`: Qwen 2 to 3. Its tokenizer composes characters first (NFC), and so does this. */
export const loadEncoding = named('qwen2', vocabulary, (text) => text.normalize('NFC'))
