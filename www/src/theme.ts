import { byId } from './dom.js'
import { readStored, writeStored } from './storage.js'

const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const KEY = 'trimtab.theme'
const LABELS: Record<Theme, string> = {
  system: 'Theme: follows the system',
  light: 'Theme: light',
  dark: 'Theme: dark',
}

/** Creates the theme button: system, light, dark. `onChange` also runs when the system's theme changes. */
export function createTheme(onChange: () => void): void {
  const button = byId('theme', HTMLButtonElement)
  let theme = remembered()
  const apply = () => {
    if (theme === 'system') {
      delete document.documentElement.dataset.theme
    } else {
      document.documentElement.dataset.theme = theme
    }
    button.setAttribute('aria-label', LABELS[theme])
    button.title = LABELS[theme]
    onChange()
  }
  button.addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
    writeStored(KEY, theme)
    apply()
  })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', onChange)
  apply()
}

function remembered(): Theme {
  const kept = readStored(KEY)
  return THEMES.find((theme) => theme === kept) ?? 'system'
}
