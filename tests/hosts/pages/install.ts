import install, { installIn } from '../install.js'

export default function installAll(): void {
  install()
  installIn('pages')
  installIn('programs')
}
