// Chromium and ChromeDriver for the tests; the variables CHROMIUM and CHROMEDRIVER can name others.
// The headless shell is Chromium without its window: opening a page takes a third of the processor time.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

function onPath(...names) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  for (const name of names) {
    const found = folders.map((folder) => join(folder, name)).find((file) => existsSync(file))
    if (found) return found
  }
  throw new Error(`${names[0]} not found: run scripts/setup`)
}

export const chromium = () =>
  process.env.CHROMIUM ||
  onPath(
    'chromium-headless-shell',
    'chrome-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
  )

export const chromeDriver = () => process.env.CHROMEDRIVER || onPath('chromedriver')
