import { z } from 'zod'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { type FixRow, type FixView, fixView } from './fix-row.ts'

/** The last ten automatic fixes of a publication, the newest first. */
export const listFixes = useCase({
  permission: 'reader:import',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<FixView[]> {
    const publication = await ownPublication(ctx, { id: publicationId })
    const rows = await ctx.db.query<FixRow>(
      `SELECT * FROM reader_fixes WHERE publication_id = :publicationId ORDER BY id DESC LIMIT 10`,
      { publicationId: publication.id },
    )
    return rows.map((row) => fixView(row, ctx.now()))
  },
})
