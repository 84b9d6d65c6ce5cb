import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { ApiKeys } from './api-keys.rows.ts'
import { recordKeyChange } from './issue-api-key.ts'
import { ownApiKey } from './own-api-key.ts'

/** Revokes a key immediately, such as one that was stolen or is no longer needed. Idempotent. */
export const revokeApiKey = useCase({
  permission: 'api-key:write',
  input: z.object({ keyId: z.coerce.number('Required').int() }),
  async run(ctx, { keyId }): Promise<{ changed: boolean }> {
    const { key, publication } = await ownApiKey(ctx, keyId)
    const changed = await ApiKeys.update(ctx, { id: key.id, revokedAt: null }, { revokedAt: ctx.now() })
    if (changed > 0) await recordKeyChange(ctx, publication, 'revoke-api-key', key.id)
    return { changed: changed > 0 }
  },
})
