import { z } from 'zod'
import { notFound } from '../kernel/errors.ts'
import { quoted } from '../kernel/text-format.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { normaliseReference } from './unique-reference.rules.ts'

/** The reader of a publication with exactly this reference. */
export const findReader = useCase({
  permission: 'reader:read',
  input: z.object({
    publicationId: z.number('Required').int(),
    uniqueReference: z.string('Required').trim().min(1, 'Required').max(100).transform(normaliseReference),
  }),
  transaction: 'none',
  async run(ctx, { publicationId, uniqueReference }): Promise<{ id: number; version: number }> {
    const { id } = await ownPublication(ctx, { id: publicationId })
    const [row] = await ctx.db.query<{ id: number; version: number }>(
      `SELECT id, version FROM readers WHERE publication_id = :id AND unique_reference = :uniqueReference`,
      { id, uniqueReference },
    )
    if (!row) throw notFound(`The reader ${quoted(uniqueReference)}`)
    return { id: row.id, version: Number(row.version) }
  },
})
