import { eight } from '../../../hosts/eight.js'

export const dynamic = 'force-dynamic'
export const GET = async () => Response.json(await eight())
