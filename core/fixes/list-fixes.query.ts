import { z } from 'zod'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { type FixView, fixRows, fixView } from './fix-row.ts'

/** The last ten automatic fixes of a publication, the newest first. */
export const listFixes = useCase({
  permission: 'reader:import',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<FixView[]> {
    const publication = await ownPublication(ctx, { id: publicationId })
    const rows = await fixRows(ctx.db, 'f.publication_id = :publicationId ORDER BY f.id DESC LIMIT 10', {
      publicationId: publication.id,
    })
    return rows.map((row) => fixView(row, ctx.now()))
  },
})
