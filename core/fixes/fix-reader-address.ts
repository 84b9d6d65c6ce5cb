import { z } from 'zod'
import { notFound } from '../kernel/errors.ts'
import { ownReaderRow } from '../readers/own-reader-row.ts'
import { useCase } from '../use-case.ts'
import type { FixableAddress } from './fix-address.rules.ts'
import { fixKinds, fixOf } from './fix-kinds.ts'
import { fixNow } from './fix-readers.ts'
import type { FixView } from './fix-row.ts'
import { fixableRows } from './fixable-rows.query.ts'

export interface AddressFix {
  readerId: number
  publicationId: number
  before: FixableAddress
  /** The address after the fix; null if it cannot be determined. */
  after: FixableAddress | null
  /** The fix, for its undo; null in a dry run, and where nothing was changed. */
  fix: FixView | null
}

/** Puts the parts of one reader's address in their own fields. A dry run only shows before and after. */
export const fixReaderAddress = useCase({
  permission: 'reader:import',
  input: z.object({ id: z.coerce.number('The reader was not found').int(), dryRun: z.boolean().default(false) }),
  transaction: 'none',
  async run(ctx, { id, dryRun }): Promise<AddressFix> {
    const { reader, publication } = await ownReaderRow(ctx, id)
    const [row] = await fixableRows(ctx, {
      publicationId: publication.id,
      kind: 'addresses',
      after: 0,
      readerId: reader.id,
      limit: 1,
    })
    if (!row) throw notFound('The reader')
    const before = Object.fromEntries(
      fixKinds.addresses.fields.map((field) => [field, row[field]]),
    ) as unknown as FixableAddress
    const changed = fixOf('addresses', row)
    const preview = {
      readerId: reader.id,
      publicationId: publication.id,
      before,
      after: changed && { ...before, ...changed },
    }
    if (dryRun || !changed) return { ...preview, fix: null }
    const fix = await fixNow(ctx, { publication, kind: 'addresses', readerId: reader.id, count: 1 })
    return { ...preview, fix }
  },
})
