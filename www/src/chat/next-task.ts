/** Resolves after pending tasks: input, frames, messages of workers. */
export const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve))
