import { canOpenFolders } from '../files.js'
import { hostOf } from '../models/connection.js'
import { connection } from '../models/current.js'
import { startInFolder, startNewChat } from '../sessions.js'
import { playSample } from '../state.js'
import { Brand } from './brand.js'
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
      <Brand />
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
