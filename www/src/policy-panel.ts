import type { Inspection } from 'trimtab'
import { byId, h } from './dom.js'
import { numberField, switchField } from './fields.js'
import { shortTokens } from './numbers.js'
import {
  PRESETS,
  type PresetId,
  presetOf,
  type Settings,
  toPolicy,
  withChange,
  withPreset,
} from './settings.js'

interface PolicyPanel {
  show(settings: Settings): void
  /** Sets the session's tools; the policy can exclude each of them. */
  setTools(tools: Inspection['tools']): void
}

type Change = (settings: Settings) => void

/** Creates the form of the policy's settings, with the resulting policy as JSON. */
export function createPolicyPanel(announce: (text: string) => void, onChange: Change): PolicyPanel {
  const form = byId('policy', HTMLFormElement)
  let settings: Settings | null = null
  const patch = (change: Partial<Settings>) => {
    if (settings !== null) {
      onChange(withChange(settings, change))
    }
  }
  const preset = presetField((id) => settings !== null && onChange(withPreset(settings, id)))
  const rolling = switchField({
    label: 'Rolling context',
    hint: 'Old tool results become a one-line stub.',
    onChange: (on) => patch({ rolling: on }),
  })
  const age = numberField({
    id: 'maxToolOutputAge',
    label: 'Keep for',
    unit: 'steps',
    hint: 'maxToolOutputAge',
    limits: { min: 0, max: 1000 },
    slider: { max: 40, step: 1 },
    onChange: (value) => patch({ maxToolOutputAge: value }),
  })
  const size = numberField({
    id: 'maxToolOutputTokens',
    label: 'Stub limit',
    unit: 'tokens',
    hint: 'maxToolOutputTokens',
    limits: { min: 0, max: 1_000_000 },
    slider: { max: 10_000, step: 100 },
    onChange: (value) => patch({ maxToolOutputTokens: value }),
  })
  const recent = switchField({
    label: 'Preserve recent files',
    hint: 'preserveRecentFiles',
    onChange: (on) => patch({ preserveRecentFiles: on }),
  })
  const summary = switchField({
    label: 'Summarise in the stub',
    hint: 'summarizeOnTruncate',
    onChange: (on) => patch({ summarizeOnTruncate: on }),
  })
  const tools = toolField((excludeTools) => patch({ excludeTools }))
  const clear = switchField({
    label: 'Clear old tool uses',
    hint: 'In batches, all but the newest 3.',
    onChange: (on) => patch({ clear: on }),
  })
  const clearAt = numberField({
    id: 'clearAtTokens',
    label: 'Once there are',
    unit: 'tokens',
    hint: 'trigger',
    limits: { min: 0, max: 10_000_000 },
    slider: { max: 200_000, step: 1000 },
    onChange: (value) => patch({ clearAtTokens: value }),
  })
  const done = switchField({
    label: 'What is done',
    hint: 'Goes when a batch pays for rewriting the cache.',
    onChange: (on) => patch({ done: on }),
  })
  const reads = switchField({
    label: 'Repeated reads',
    hint: 'A newer read, or a change of the file, overtakes them.',
    onChange: (on) => patch({ reads: on }),
  })
  const clip = switchField({
    label: 'Long shell output',
    hint: 'Keeps its head and tail.',
    onChange: (on) => patch({ clip: on }),
  })
  const lists = switchField({
    label: 'Listings',
    hint: 'The newest 3 stay.',
    onChange: (on) => patch({ lists: on }),
  })
  const summarize = switchField({
    label: 'Old output',
    hint: 'Becomes a summary, made without a model.',
    onChange: (on) => patch({ summarize: on }),
  })
  const edits = switchField({
    label: 'Old edits',
    hint: 'What they replaced goes; many become a list.',
    onChange: (on) => patch({ edits: on }),
  })
  const dedupe = switchField({
    label: 'Duplicate results',
    hint: 'Repeats point to the copy that stays.',
    onChange: (on) => patch({ dedupe: on }),
  })
  const ephemeral = switchField({
    label: 'Ephemeral cleanup',
    hint: 'Marked results go after their turn.',
    onChange: (on) => patch({ ephemeral: on }),
  })
  const knobs = h(
    'fieldset',
    { class: 'knobs', attrs: { 'aria-label': 'Rolling context settings' } },
    age.element,
    size.element,
    recent.element,
    summary.element,
    tools.element,
  )
  const clearKnobs = h(
    'fieldset',
    { class: 'knobs', attrs: { 'aria-label': 'Clear old tool uses settings' } },
    clearAt.element,
  )
  const json = jsonField(announce)
  form.addEventListener('submit', (event) => event.preventDefault())
  form.replaceChildren(
    h('div', { class: 'card-head' }, h('h2', { attrs: { id: 'policy-title' } }, 'Policy')),
    preset.element,
    done.element,
    rolling.element,
    knobs,
    clear.element,
    clearKnobs,
    reads.element,
    lists.element,
    summarize.element,
    clip.element,
    edits.element,
    dedupe.element,
    ephemeral.element,
    json.element,
  )
  return {
    show(next) {
      settings = next
      preset.show(next)
      rolling.set(next.rolling)
      knobs.disabled = !next.rolling
      age.set(next.maxToolOutputAge)
      size.set(next.maxToolOutputTokens)
      recent.set(next.preserveRecentFiles)
      summary.set(next.summarizeOnTruncate)
      tools.show(next.excludeTools)
      clear.set(next.clear)
      clearKnobs.disabled = !next.clear
      clearAt.set(next.clearAtTokens)
      done.set(next.done)
      reads.set(next.reads)
      lists.set(next.lists)
      summarize.set(next.summarize)
      clip.set(next.clip)
      edits.set(next.edits)
      dedupe.set(next.dedupe)
      ephemeral.set(next.ephemeral)
      json.show(next)
    },
    setTools: tools.setTools,
  }
}

function presetField(onPick: (id: PresetId) => void): {
  element: HTMLElement
  show(settings: Settings): void
} {
  const options = PRESETS.map(({ id, label }) => h('option', { attrs: { value: id } }, label))
  const custom = h('option', { attrs: { value: 'custom', hidden: true } }, 'Custom')
  const select = h('select', { class: 'select', attrs: { id: 'preset' } }, ...options, custom)
  select.addEventListener('change', () => {
    const picked = PRESETS.find(({ id }) => id === select.value)
    if (picked !== undefined) {
      onPick(picked.id)
    }
  })
  return {
    element: h(
      'div',
      { class: 'field' },
      h('label', { class: 'visually-hidden', attrs: { for: 'preset' } }, 'Preset'),
      h('div', { class: 'select-box' }, select),
    ),
    show(settings) {
      select.value = presetOf(settings)
    },
  }
}

interface ToolField {
  element: HTMLElement
  show(excluded: readonly string[]): void
  setTools(tools: Inspection['tools']): void
}

function toolField(onChange: (excluded: string[]) => void): ToolField {
  const list = h('div', { class: 'chips' })
  const element = h(
    'div',
    { class: 'field' },
    h(
      'div',
      { class: 'field-label' },
      h('span', {}, 'Never clear'),
      h('code', { class: 'field-key' }, 'excludeTools'),
    ),
    list,
  )
  const chips = new Map<string, HTMLButtonElement>()
  let excluded: readonly string[] = []
  const toggle = (tool: string) => {
    onChange(excluded.includes(tool) ? excluded.filter((name) => name !== tool) : [...excluded, tool])
  }
  return {
    element,
    show(next) {
      excluded = next
      for (const [tool, chip] of chips) {
        chip.setAttribute('aria-pressed', String(next.includes(tool)))
      }
    },
    setTools(tools) {
      chips.clear()
      for (const { tool, tokens } of tools.slice(0, MAX_CHIPS)) {
        const chip = h(
          'button',
          { class: 'chip', attrs: { type: 'button', 'aria-pressed': 'false' } },
          tool,
          ' ',
          h('span', {}, shortTokens(tokens)),
        )
        chip.addEventListener('click', () => toggle(tool))
        chips.set(tool, chip)
      }
      list.replaceChildren(...chips.values())
      element.hidden = chips.size === 0
    },
  }
}

/** Maximum number of tools listed. Enough for any agent; hundreds of names would fill the panel. */
const MAX_CHIPS = 12

function jsonField(announce: (text: string) => void): {
  element: HTMLElement
  show(settings: Settings): void
} {
  const code = h('pre', {
    class: 'json',
    attrs: { id: 'policy-json', tabindex: 0, 'aria-label': 'Policy as JSON' },
  })
  const copy = h('button', { class: 'button small', attrs: { type: 'button', id: 'copy-policy' } }, 'Copy')
  copy.addEventListener('click', () => {
    navigator.clipboard.writeText(code.textContent).then(
      () => flash(copy, 'Copied', announce),
      () => selectText(code, announce),
    )
  })
  return {
    element: h(
      'div',
      { class: 'json-box' },
      h('div', { class: 'json-head' }, h('span', {}, 'Policy as JSON'), copy),
      code,
    ),
    show(settings) {
      code.textContent = JSON.stringify(toPolicy(settings), null, 2)
    },
  }
}

function flash(button: HTMLButtonElement, text: string, announce: (text: string) => void): void {
  announce('Policy copied')
  button.textContent = text
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 1500)
}

/** Fallback without clipboard access: selects the text, so that the user can copy it. */
function selectText(element: HTMLElement, announce: (text: string) => void): void {
  getSelection()?.selectAllChildren(element)
  announce('The policy is selected: copy it with your keyboard')
}
