import { type Browser, chromium } from 'playwright-core'

/** Command-line arguments: headless, without background network requests. */
const ARGUMENTS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

/** Starts the Chromium that the setup found or installed. */
export function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? process.env.CHROME ?? '/usr/bin/chromium'
  return chromium.launch({ executablePath, args: ARGUMENTS })
}
