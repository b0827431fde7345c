import { TrimtabError } from 'trimtab'

/** The code of the error that a promise fails with. */
export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof TrimtabError ? error.code : `another error: ${String(error)}`),
  )
