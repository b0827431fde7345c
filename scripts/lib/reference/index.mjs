// Generates all pages of docs/reference.
import { apiReference } from './api.mjs'
import { errorReference } from './errors.mjs'
import { policyReference } from './policy.mjs'

/** @returns {Map<string, string>} path to content */
export const reference = () => new Map([...policyReference(), ...errorReference(), ...apiReference()])
