import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { notice } from '../opening.js'
import { openFile, past, replay } from '../state.js'
import { viewed } from '../viewed.js'

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true

function zoneOf({ target }: DragEvent): 'session' | 'chat' | 'page' {
  const zone = target instanceof Element ? target.closest('[data-drop]') : null
  if (zone === null) return 'page'
  return zone.getAttribute('data-drop') === 'chat' ? 'chat' : 'session'
}

/** Areas to drop files on: one opens a session file, the other adds files to the chat. */
export function DropZones() {
  /** The area under the pointer while files are dragged. */
  const over = useSignal<'session' | 'chat' | 'page' | null>(null)
  useEffect(() => {
    const drag = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      over.value = zoneOf(event)
    }
    const leave = ({ relatedTarget }: DragEvent) => {
      // No element is entered when the pointer leaves the window.
      if (relatedTarget === null) over.value = null
    }
    const drop = (event: DragEvent) => {
      event.preventDefault()
      over.value = null
      void take([...(event.dataTransfer?.files ?? [])], zoneOf(event) === 'chat')
    }
    addEventListener('dragover', drag)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', drag)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [])
  if (over.value === null) return null
  const isChat = replay.value === null && past.value === null && viewed.value === null
  return (
    <div class="drop-zones">
      <div class="drop-zone" data-drop="session" data-over={over.value !== 'chat'}>
        <b>Open as a recorded session</b>
        <span>Claude Code, OpenAI, Anthropic, Gemini and other formats</span>
      </div>
      {isChat ? (
        <div class="drop-zone" data-drop="chat" data-over={over.value === 'chat'}>
          <b>Add to the files of this chat</b>
          <span>For the agent to read and edit</span>
        </div>
      ) : null}
    </div>
  )
}

async function take(files: readonly File[], isForChat: boolean): Promise<void> {
  const [first] = files
  if (first === undefined) return
  if (isForChat) return (await import('../added-files.js')).addFiles(files)
  await openFile(first)
  if (files.length > 1 && notice.peek() === null)
    notice.value = `Sessions are opened one at a time: of ${files.length} files this is ${first.name}.`
}
