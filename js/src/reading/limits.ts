import { AMOUNT, called } from '../base/check.js'

/** Token limit of one read, from document "ReadTool Improvements". */
export const MAX_TOKENS = 3000

export const TOKENS = called(AMOUNT, 'a number of tokens')
