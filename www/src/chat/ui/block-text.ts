import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { BlockFacts } from 'trimtab'
import type { History } from '../agent/history.js'
import { nextTask } from '../next-task.js'

/** Length from which a text is read in a task of its own, in UTF-16 units: reading it takes longer than a frame. */
const LONG = 500_000

/** Long texts wait here for their turn: together they would block the page. */
let turn: Promise<unknown> = Promise.resolve()

/**
 * The text of a block. A very long one is `null` at first: it is read after the page has been rendered, and each in a
 * task of its own.
 */
export function useBlockText(block: BlockFacts | null, history: History): string | null {
  const isLong = block !== null && block.utf16 >= LONG
  const read = useSignal<{ readonly block: BlockFacts; readonly text: string } | null>(null)
  useEffect(() => {
    if (!isLong) return
    let isWanted = true
    turn = turn.then(nextTask).then(() => {
      if (isWanted) read.value = { block, text: history.textOf(block) }
    })
    return () => {
      isWanted = false
    }
  }, [block])
  const short = useMemo(() => (block === null || isLong ? null : history.textOf(block)), [block])
  return short ?? (read.value?.block === block ? read.value.text : null)
}
