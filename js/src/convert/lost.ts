import type { LostItem } from './types.js'

/** Collects what a conversion cannot carry over. */
export class Losses {
  readonly items: LostItem[] = []

  add(index: number, what: string): void {
    this.items.push({ index, what })
  }
}
