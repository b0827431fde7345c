import { short } from '../../numbers.js'

/** Tokens before and after a trim. */
export const TrimmedSize = ({ before, after }: { before: number; after: number }) => (
  <span class="card-size" title="Trimmed: the model sees less of it">
    <s>{short(before)}</s> <b>{short(after)} ✂</b>
  </span>
)
