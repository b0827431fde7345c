import { render } from 'preact'
import { keepComposed } from './composed.js'
import { keepFocus } from './keep-focus.js'
import { lookAhead } from './next-request.js'
import { tellMissingParts, workOffline } from './offline.js'
import { keepSessions } from './sessions.js'
import { App } from './ui/app.js'

const root = document.getElementById('app')
if (root === null) throw new Error('the page has no element with id app')
render(<App />, root)
keepFocus(root)
keepComposed()
tellMissingParts()
keepSessions()
lookAhead()
workOffline()
