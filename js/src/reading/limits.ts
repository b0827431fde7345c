import { AMOUNT, called } from '../base/check.js'

/** What one read may take, in tokens: document "ReadTool Improvements". */
export const MAX_TOKENS = 3000

export const TOKENS = called(AMOUNT, 'a number of tokens')
