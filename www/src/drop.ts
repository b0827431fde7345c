import { byId } from './dom.js'

/** Passes each file that is dropped on the page or chosen to `onFile`; of several, only the first. */
export function createDrop(onFile: (file: File) => void): { choose(): void } {
  const input = byId('file', HTMLInputElement)
  const veil = byId('drop-veil', HTMLElement)
  // Entering a child fires another "dragenter" before the "dragleave" of its parent.
  let depth = 0
  const leave = () => {
    depth = 0
    veil.hidden = true
  }
  addEventListener('dragenter', (event) => {
    if (hasFiles(event)) {
      event.preventDefault()
      depth += 1
      veil.hidden = false
    }
  })
  addEventListener('dragover', (event) => {
    if (hasFiles(event)) {
      event.preventDefault()
    }
  })
  addEventListener('dragleave', (event) => {
    depth -= hasFiles(event) ? 1 : 0
    if (depth <= 0) {
      leave()
    }
  })
  addEventListener('drop', (event) => {
    if (hasFiles(event)) {
      event.preventDefault()
      leave()
      take(event.dataTransfer?.files, onFile)
    }
  })
  input.addEventListener('change', () => {
    take(input.files, onFile)
    // Without this, choosing the same file again fires no change event.
    input.value = ''
  })
  return { choose: () => input.click() }
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false
}

function take(files: FileList | null | undefined, onFile: (file: File) => void): void {
  const file = files?.[0]
  if (file !== undefined) {
    onFile(file)
  }
}
