import { signal } from '@preact/signals'
import type { ComponentType, VNode } from 'preact'
import { nextTask } from '../next-task.js'

/** Returns a component whose code is loaded when it is first rendered; until then `meanwhile` is rendered. */
export function lazily<P extends object>(
  load: () => Promise<ComponentType<P>>,
  meanwhile: (props: P) => VNode | null = () => null,
): ComponentType<P> {
  const loaded = signal<ComponentType<P> | null>(null)
  let isAsked = false
  return function Lazy(props: P) {
    if (!isAsked) {
      isAsked = true
      // If the chunk cannot be loaded, `meanwhile` stays, and the next component tries again.
      load().then(
        async (component) => {
          // Not in the task that has just run the code of the chunk.
          await nextTask()
          loaded.value = component
        },
        () => {
          isAsked = false
        },
      )
    }
    const Loaded = loaded.value
    return Loaded === null ? meanwhile(props) : <Loaded {...props} />
  }
}
