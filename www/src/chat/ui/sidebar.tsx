import { canOpenFolders } from '../files.js'
import { hostOf } from '../models/connection.js'
import { connection } from '../models/current.js'
import { startInFolder, startNewChat } from '../sessions.js'
import { playSample } from '../state.js'
import { Icon } from './icons.js'
import { Segments } from './segments.js'
import { SessionList } from './session-list.js'

/** The sidebar: chats, sessions and files to open. */
export function Sidebar({ onOpen, onDone }: { onOpen(): void; onDone(): void }) {
  const after = (action: () => void) => () => {
    action()
    onDone()
  }
  return (
    <div class="sidebar">
      <p class="brand">
        <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
          <rect class="brand-tile" width="32" height="32" rx="8" />
          <path class="brand-rudder" d="M8 7.5h11.5a4 4 0 0 1 4 4v2.2L8 18.5z" />
          <path class="brand-tab" d="M8 20.8 23.5 16v3.6a5 5 0 0 1-5 5H8z" />
        </svg>
        trimtab
      </p>
      <button type="button" class="side-button" onClick={after(() => startNewChat())}>
        <Icon name="plus" size={16} /> New chat
      </button>
      <button type="button" class="side-button" onClick={after(() => void playSample())}>
        <Icon name="play" size={16} /> Sample session
      </button>
      <button type="button" class="side-button" onClick={after(onOpen)}>
        <Icon name="file" size={16} /> Open file…
      </button>
      {canOpenFolders ? (
        <button type="button" class="side-button" onClick={after(() => void startInFolder())}>
          <Icon name="folder" size={16} /> Open folder…
        </button>
      ) : null}
      <SessionList onDone={onDone} />
      <Segments onDone={onDone} />
      <div class="side-foot">
        <a href="./viewer.html">Open the session viewer</a>
        <p>
          {connection.value === null
            ? 'Everything runs in this tab. Nothing is uploaded.'
            : `The tools run in this tab. The model is at ${hostOf(connection.value)}.`}
          {canOpenFolders ? '' : ' This browser cannot open folders; files are kept in the browser.'}
        </p>
      </div>
    </div>
  )
}
