// Installs the hosts, where their lock file has changed since. They have a lock file of their own: 800 MB that nothing else needs.
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const changed = (file: string) => statSync(file).mtimeMs

export default function install(): void {
  const installed = at('packages/node_modules/.package-lock.json')
  if (existsSync(installed) && changed(installed) >= changed(at('packages/package-lock.json'))) return
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: at('packages'),
    stdio: 'inherit',
  })
}
