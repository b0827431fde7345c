import { connection } from 'next/server'
import { eight } from '../hosts/eight.js'

export default async function Page() {
  await connection()
  return <pre id="outcome">{JSON.stringify(await eight())}</pre>
}
