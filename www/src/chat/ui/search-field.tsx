import type { Signal } from '@preact/signals'

interface Props {
  readonly text: Signal<string>
  readonly placeholder: string
  readonly label: string
}

/** A field that filters a list as the user types. */
export function SearchField({ text, placeholder, label }: Props) {
  return (
    <input
      type="search"
      class="session-search"
      placeholder={placeholder}
      aria-label={label}
      value={text.value}
      onInput={(event) => {
        text.value = event.currentTarget.value
      }}
    />
  )
}
