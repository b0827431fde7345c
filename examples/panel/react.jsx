import { useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Context, rollingContext } from 'trimtab'
import { definePanel } from 'trimtab/panel'

definePanel()

function Chat() {
  const [context] = useState(() => new Context(rollingContext({ maxToolOutputAge: 2 })))
  const history = useRef([{ role: 'user', content: 'Mend the build.' }])
  const [asked, setAsked] = useState(0)
  const ask = () => {
    context.project(history.current)
    // Send the view to the model here; this answer is a placeholder.
    const id = `call_${asked}`
    const called = { name: 'bash', arguments: JSON.stringify({ command: 'npm run build' }) }
    history.current.push(
      { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: called }] },
      { role: 'tool', tool_call_id: id, content: 'warning: unused variable\n'.repeat(80) },
    )
    setAsked(asked + 1)
  }
  return (
    <main>
      <h1>An agent</h1>
      <button type="button" id="ask" onClick={ask}>
        Ask ({asked})
      </button>
      {/* React 19 sets properties of custom elements. */}
      <trimtab-context context={context} window={32_000} />
    </main>
  )
}

createRoot(document.getElementById('root')).render(<Chat />)
