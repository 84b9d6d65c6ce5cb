import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { conflict } from './errors.ts'

/**
 * For the input of a use case that changes a record: the stored values that the input was made from, by field, such as those that a form was merged
 * with. With it the use case refuses to overwrite what was saved since (`refuseOutdated`); without it, as programs call it, it replaces what is stored.
 */
export const BasedOn = z.record(z.string(), z.unknown()).optional()
export type BasedOn = z.output<typeof BasedOn>

/**
 * Throws a conflict if a field that is to be written is no longer stored as it was when the input was made (optimistic locking). `stored` is the current
 * record, under the names and in the format of `basedOn`; it must be locked, because otherwise it could still change before it is written.
 */
export function refuseOutdated(basedOn: BasedOn, stored: object, values: object): void {
  if (!basedOn) return
  const isOutdated = Object.entries(stored).some(
    ([name, value]) => (values as BasedOn)?.[name] !== undefined && !isDeepStrictEqual(value, basedOn[name]),
  )
  if (isOutdated) throw conflict('Not saved: somebody else saved a change at the same moment', { hint: 'Save again.' })
}
