// Installs the hosts if their lock files have changed. They have separate lock files because they are a
// gigabyte that nothing else needs.
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const changed = (file: string) => statSync(file).mtimeMs

export default function install(): void {
  installIn('packages')
  // The tests of plugins only need the declarations of their hosts: the programs are a gigabyte of optional
  // packages.
  installIn('plugins', '--omit=optional')
}

export function installIn(folder: string, ...options: string[]): void {
  const installed = at(`${folder}/node_modules/.package-lock.json`)
  if (existsSync(installed) && changed(installed) >= changed(at(`${folder}/package-lock.json`))) return
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...options], {
    cwd: at(folder),
    stdio: 'inherit',
  })
}
