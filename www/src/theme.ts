import { byId } from './dom.js'

const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const KEY = 'trimtab.theme'
const LABELS: Record<Theme, string> = {
  system: 'Theme: follows the system',
  light: 'Theme: light',
  dark: 'Theme: dark',
}

/** The theme button: system, light, dark. `onChange` also runs when the system's own theme changes. */
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
    remember(theme)
    apply()
  })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', onChange)
  apply()
}

function remembered(): Theme {
  try {
    const stored = localStorage.getItem(KEY)
    return THEMES.find((theme) => theme === stored) ?? 'system'
  } catch {
    // Storage is denied in some private windows: the choice then lasts as long as the page.
    return 'system'
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // As above.
  }
}
