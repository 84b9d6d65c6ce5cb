import { z } from 'zod'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import type { DeliveryKind } from './delivery-event.ts'

const days = 30

/** How many of a publication's emails were reported, by kind. */
export type DeliveryFigures = Record<Exclude<DeliveryKind, 'delivered'>, number>

/** The reports about a publication's emails in the last thirty days. An email counts once for each address and kind. */
export const deliveryFigures = useCase({
  permission: 'publication:write',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  transaction: 'none',
  async run(ctx, input): Promise<DeliveryFigures> {
    const { id: publicationId, publisherId } = await ownPublication(ctx, { id: input.publicationId })
    const rows = await ctx.db.query<{ kind: keyof DeliveryFigures; emails: number }>(
      `SELECT kind, COUNT(*) AS emails FROM (
         SELECT DISTINCT v.kind, v.email_id, v.address_key FROM delivery_events v JOIN emails e ON e.id = v.email_id
         WHERE v.publisher_id = :publisherId AND v.created_at >= :since AND e.publication_id = :publicationId) AS reported
       GROUP BY kind`,
      { publisherId, publicationId, since: new Date(ctx.now().getTime() - days * 86_400_000) },
    )
    const count = (kind: keyof DeliveryFigures) => Number(rows.find((row) => row.kind === kind)?.emails ?? 0)
    return { hard: count('hard'), soft: count('soft'), blocked: count('blocked'), complaint: count('complaint') }
  },
})
