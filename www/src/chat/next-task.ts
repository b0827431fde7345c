/** Lets what waits be done first: input, frames, messages of workers. */
export const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve))
