import { TrimtabError } from 'trimtab'

/** Code of the error that a promise rejects with. */
export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof TrimtabError ? error.code : `another error: ${String(error)}`),
  )
