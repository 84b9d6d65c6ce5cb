import { z } from 'zod'
import { unseal } from '../access/sealed.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { ApiKeys } from './api-keys.rows.ts'
import { issueApiKey, recordKeyChange, replaceKey } from './issue-api-key.ts'

/**
 * Makes the first key of a publication, the one for the subscriber check. An existing one is replaced and works for another day. With
 * `ifNone` an existing key is kept: a button that is pressed twice makes one.
 */
export const makeApiKey = useCase({
  permission: 'api-key:write',
  input: z.object({ publicationId: z.coerce.number('Required').int(), ifNone: z.boolean().default(false) }),
  async run(ctx, { publicationId, ifNone }): Promise<{ key: string; previousEndsAt: Date | null }> {
    const publication = await ownPublication(ctx, { id: publicationId })
    const existing = await ApiKeys.find(ctx, { publicationId, name: '', endsAt: null, revokedAt: null })
    if (existing && ifNone) {
      const key = unseal(ctx.settings.appSecret, 'api-key', existing.keySealed)
      if (key !== null) return { key, previousEndsAt: null }
    }
    if (existing) return replaceKey(ctx, publication, existing)
    const issued = await issueApiKey(ctx, publication, { name: '', scopes: ['check'] })
    await recordKeyChange(ctx, publication, 'make-api-key', issued.id)
    return { key: issued.key, previousEndsAt: null }
  },
})
