import { z } from 'zod'
import type { PartnerScope } from '../access/permissions.ts'
import { unseal } from '../access/sealed.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { keysInUse } from './api-keys.rows.ts'

export interface ListedApiKey {
  id: number
  /** Empty: the first key of the publication. */
  name: string
  scopes: PartnerScope[]
  /** Null if it was sealed under another APP_SECRET: it works, and cannot be shown. */
  key: string | null
  lastFour: string
  createdAt: Date
  lastUsedAt: Date | null
  /** Null: until it is replaced or revoked. */
  expiresAt: Date | null
}

/** The valid keys of one of the acting publisher's publications, unsealed: a publisher may see them again. */
export const listApiKeys = useCase({
  permission: 'api-key:write',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<ListedApiKey[]> {
    await ownPublication(ctx, { id: publicationId })
    const keys = await keysInUse(ctx, publicationId)
    return keys.map(({ id, name, scopes, keySealed, lastFour, createdAt, lastUsedAt, endsAt }) => ({
      id,
      name,
      scopes,
      lastFour,
      createdAt,
      lastUsedAt,
      key: unseal(ctx.settings.appSecret, 'api-key', keySealed),
      expiresAt: endsAt,
    }))
  },
})
