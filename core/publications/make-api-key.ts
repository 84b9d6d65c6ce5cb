import { z } from 'zod'
import { seal } from '../access/sealed.ts'
import { hashToken, newToken } from '../access/tokens.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { useCase } from '../use-case.ts'
import { ApiKeys } from './api-keys.rows.ts'
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
    const replaced = await ApiKeys.update(ctx, { publicationId, revokedAt: null }, { revokedAt: ctx.now() })
    await ApiKeys.insert(ctx, {
      publicationId,
      keyHash: hashToken(key),
      keySealed: seal(ctx.settings.appSecret, 'api-key', key),
      lastFour: key.slice(-4),
      madeBy: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
    })
    await recordAudit(ctx, 'make-api-key', { type: 'publication', id: publicationId, publisherId }, { replaced })
    return { key }
  },
})
