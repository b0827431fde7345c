import { h } from './dom.js'
import { wholeNumber } from './settings.js'

/** Form fields of the policy panel. */
interface Field<T> {
  element: HTMLElement
  set(value: T): void
}

interface SwitchOptions {
  label: string
  hint: string
  onChange(on: boolean): void
}

export function switchField({ label, hint, onChange }: SwitchOptions): Field<boolean> {
  const input = h('input', { class: 'switch', attrs: { type: 'checkbox', role: 'switch' } })
  input.addEventListener('change', () => onChange(input.checked))
  return {
    element: h(
      'label',
      { class: 'field field-switch' },
      h(
        'span',
        { class: 'field-text' },
        h('span', { class: 'field-name' }, label),
        h('span', { class: 'field-hint' }, hint),
      ),
      input,
    ),
    set(on) {
      input.checked = on
    },
  }
}

interface NumberOptions {
  id: string
  label: string
  unit: string
  hint: string
  limits: { min: number; max: number }
  slider: { max: number; step: number }
  onChange(value: number): void
}

/** Creates a number field: a slider for the usual range and a text field for any value. */
export function numberField(options: NumberOptions): Field<number> {
  const { id, label, unit, hint, limits, slider } = options
  const range = h('input', {
    attrs: {
      type: 'range',
      min: limits.min,
      max: slider.max,
      step: slider.step,
      'aria-label': `${label}, ${unit}, slider`,
      'data-for': id,
    },
  })
  const text = h('input', {
    class: 'number',
    attrs: { id, type: 'number', min: limits.min, max: limits.max, step: 1, inputmode: 'numeric' },
  })
  let value = 0
  const set = (next: number) => {
    value = next
    range.value = String(next)
    range.style.setProperty(
      '--done',
      `${Math.min(100, ((next - limits.min) / (slider.max - limits.min)) * 100)}%`,
    )
    // Skipped while the field has the focus: the caret would jump.
    if (document.activeElement !== text) {
      text.value = String(next)
    }
  }
  range.addEventListener('input', () => options.onChange(range.valueAsNumber))
  text.addEventListener('input', () => options.onChange(wholeNumber(text.value, limits, value)))
  text.addEventListener('blur', () => {
    text.value = String(value)
  })
  return {
    element: h(
      'div',
      { class: 'field field-number' },
      h(
        'div',
        { class: 'field-label' },
        h('label', { attrs: { for: id } }, label),
        h('code', { class: 'field-key' }, hint),
      ),
      h(
        'div',
        { class: 'field-row' },
        range,
        h('span', { class: 'number-box' }, text, h('span', { class: 'number-unit' }, unit)),
      ),
    ),
    set,
  }
}
