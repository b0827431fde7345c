'use client'
import { useEffect, useState } from 'react'
import { eight } from '../../hosts/eight.js'

export default function Page() {
  const [outcome, setOutcome] = useState('')
  useEffect(() => {
    eight().then(
      (all) => setOutcome(JSON.stringify(all)),
      (error) => setOutcome(String(error)),
    )
  }, [])
  return <pre id="outcome">{outcome}</pre>
}
