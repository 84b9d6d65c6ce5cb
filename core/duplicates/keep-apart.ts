import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { notFound } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'

/** Says that the readers of a group are different ones: it is not listed again, nor do later searches put any two of them together. */
export const keepApart = useCase({
  permission: 'reader:import',
  input: z.object({ publicationId: z.coerce.number('Required').int(), groupId: z.coerce.number('Required').int() }),
  async run(ctx, { publicationId, groupId }): Promise<{ readers: number }> {
    const publication = await ownPublication(ctx, { id: publicationId })
    const closed = await ctx.db.run(
      `UPDATE likely_groups SET state = 'apart' WHERE id = :groupId AND publication_id = :publicationId AND state IN ('open', 'changed')`,
      { groupId, publicationId: publication.id },
    )
    if (closed === 0) throw notFound('The group')
    const members = await ctx.db.query<{ reader_id: number }>(
      `SELECT reader_id FROM likely_members WHERE group_id = :groupId ORDER BY reader_id`,
      { groupId },
    )
    const ids = members.map(({ reader_id }) => reader_id)
    for (const [at, a] of ids.entries()) {
      for (const b of ids.slice(at + 1)) {
        await ctx.db.run(
          `INSERT INTO readers_apart (publication_id, reader_a, reader_b, actor_kind, actor_id, said_at)
           VALUES (:publicationId, :a, :b, :actorKind, :actorId, :now) ON CONFLICT DO NOTHING`,
          {
            publicationId: publication.id,
            a,
            b,
            actorKind: ctx.actor.kind,
            actorId: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
            now: ctx.now(),
          },
        )
      }
    }
    const subject = { type: 'publication', id: publication.id, publisherId: publication.publisherId }
    await recordAudit(ctx, 'keep-readers-apart', subject, { group: groupId, readers: ids.length })
    return { readers: ids.length }
  },
})
