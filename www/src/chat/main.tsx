import { render } from 'preact'
import { workOffline } from './offline.js'
import { keepSessions } from './sessions.js'
import { App } from './ui/app.js'

const root = document.getElementById('app')
if (root === null) throw new Error('the page has no element with id app')
render(<App />, root)
keepSessions()
workOffline()
