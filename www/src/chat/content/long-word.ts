/**
 * Maximum length of a word that is kerned, in UTF-16 units. With kerning, a browser shapes the rest of a word again at
 * each line break within it: a word of 100,000 letters took 10 s. Without kerning and ligatures it takes 10 ms.
 */
const LONGEST_KERNED = 300

/** The class of a text whose words may be too long for kerning; empty for others. */
export const kerningOf = (text: string): 'unkerned' | '' =>
  text.split(/\s+/).some((word) => word.length > LONGEST_KERNED) ? 'unkerned' : ''
