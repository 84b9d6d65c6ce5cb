import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { notFound } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { markReadersDifferent } from './different-readers.rows.ts'
import { markGroupDifferent } from './likely-groups.rows.ts'

/** Marks the readers of a group as different: the group is not listed again, and later searches put no two of them together. */
export const markNotDuplicates = useCase({
  permission: 'reader:import',
  input: z.object({ publicationId: z.coerce.number('Required').int(), groupId: z.coerce.number('Required').int() }),
  async run(ctx, { publicationId, groupId }): Promise<{ readers: number }> {
    const publication = await ownPublication(ctx, { id: publicationId })
    if (!(await markGroupDifferent(ctx, publication.id, groupId))) throw notFound('The group')
    const members = await ctx.db.query<{ reader_id: number }>(
      `SELECT reader_id FROM likely_members WHERE group_id = :groupId ORDER BY reader_id`,
      { groupId },
    )
    const ids = members.map(({ reader_id }) => reader_id)
    await markReadersDifferent(ctx, publication.id, ids)
    const subject = { type: 'publication', id: publication.id, publisherId: publication.publisherId }
    await recordAudit(ctx, 'keep-readers-apart', subject, { group: groupId, readers: ids.length })
    return { readers: ids.length }
  },
})
