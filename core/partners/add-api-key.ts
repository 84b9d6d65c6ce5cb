import { z } from 'zod'
import { partnerScopes } from '../access/permissions.ts'
import { conflict } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { keysInUse } from './api-keys.rows.ts'
import { issueApiKey, recordKeyChange } from './issue-api-key.ts'

/** More programs than any publication works with. */
const maxKeys = 20

/** Makes a further key of a publication: one for each partner, so that one can be revoked without the others. */
export const addApiKey = useCase({
  permission: 'api-key:write',
  input: z.object({
    publicationId: z.coerce.number('Required').int(),
    name: z.string('Required').trim().min(1, 'Required').max(60, 'Must be 60 characters or fewer'),
    scopes: z.array(z.enum(partnerScopes, 'Choose what the key may do')).min(1, 'Choose what the key may do'),
  }),
  async run(ctx, { publicationId, name, scopes }): Promise<{ id: number; key: string }> {
    const publication = await ownPublication(ctx, { id: publicationId })
    const inUse = await keysInUse(ctx, publicationId)
    if (inUse.length >= maxKeys) {
      throw conflict(`This publication has ${maxKeys} keys, the maximum. Revoke one first.`)
    }
    const issued = await issueApiKey(ctx, publication, { name, scopes: [...new Set(scopes)] })
    await recordKeyChange(ctx, publication, 'make-api-key', issued.id)
    return issued
  },
})
