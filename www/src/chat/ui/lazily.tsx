import { signal } from '@preact/signals'
import type { ComponentType, VNode } from 'preact'

/** A component whose code is loaded when it is first shown; until then `meanwhile` stands there. */
export function lazily<P extends object>(
  load: () => Promise<ComponentType<P>>,
  meanwhile: (props: P) => VNode | null = () => null,
): ComponentType<P> {
  const loaded = signal<ComponentType<P> | null>(null)
  let isAsked = false
  return function Lazy(props: P) {
    if (!isAsked) {
      isAsked = true
      // A chunk that cannot be had leaves what stands there, and is asked for again by the next one.
      load().then(
        (component) => {
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
