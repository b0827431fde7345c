import { named } from '../encoding/named.js'
import { vocabulary } from '../encoding/vocabularies/llama3.js'

/** `llama3`: Llama 3 to 3.3. */
export const loadEncoding = named('llama3', vocabulary)
