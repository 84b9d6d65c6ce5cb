import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import { seal } from '../access/sealed.ts'
import { hashToken, newToken } from '../access/tokens.ts'
import { useCase } from '../use-case.ts'
import { ownPublication } from './own-publication.ts'

/**
 * Makes the key by which third parties check a publication's subscribers. One that was there is void from this moment. The key is
 * compared by its hash; the sealed copy is for showing it to its publisher again.
 */
export const makeApiKey = useCase({
  permission: 'publication:write',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  async run(ctx, { publicationId }): Promise<{ key: string }> {
    const { publisherId } = await ownPublication(ctx, { id: publicationId })
    const key = `mk_${newToken()}`
    const now = ctx.now()
    const replaced = await ctx.db.run(
      `UPDATE api_keys SET revoked_at = :now WHERE publication_id = :publicationId AND revoked_at IS NULL`,
      { publicationId, now },
    )
    await ctx.db.run(
      `INSERT INTO api_keys (publication_id, key_hash, key_sealed, last_four, made_by, created_at)
       VALUES (:publicationId, :hash, :sealed, :lastFour, :madeBy, :now)`,
      {
        publicationId,
        hash: hashToken(key),
        sealed: seal(ctx.settings.appSecret, 'api-key', key),
        lastFour: key.slice(-4),
        madeBy: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
        now,
      },
    )
    await recordAudit(ctx, 'make-api-key', { type: 'publication', id: publicationId, publisherId }, { replaced })
    return { key }
  },
})
