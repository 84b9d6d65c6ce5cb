import { z } from 'zod'
import { formatCount } from '../kernel/text-format.ts'

/** The maximum number of readers that can be selected from a list for one action. */
export const maxSelected = 2000

export const tooManySelected = `At most ${formatCount(maxSelected)} readers at a time: filter the list, or choose fewer`

/** In the address of a page: all readers that match the list's filter are selected, instead of some by their ids. */
export const allMatching = 'matching'

/** Readers selected from a list. */
export const readerSelection = z
  .array(z.coerce.number('Must be a reader').int('Must be a reader'))
  .min(1, 'Choose at least one reader')
  .max(maxSelected, tooManySelected)
  .refine((ids) => new Set(ids).size === ids.length, 'Choose each reader only once')
