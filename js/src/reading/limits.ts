import { AMOUNT, called } from '../base/check.js'

export const TOKENS = called(AMOUNT, 'a number of tokens')
