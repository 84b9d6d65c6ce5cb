import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { conflict } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { deleteOtherKeys } from './signing-keys.rows.ts'
import { makeNextKey } from './signing-keys.ts'

/**
 * Makes the next signing key before it is due. It is listed for a day and then signs; with `now`, for a key that leaked, it signs immediately and
 * all others are deleted, so that what they signed is refused.
 */
export const rotateSigningKeys = useCase({
  permission: 'machine:operate',
  input: z.object({ now: z.boolean() }),
  async run(ctx, { now }): Promise<{ kid: string; signsFrom: Date; deleted: number }> {
    const created = await makeNextKey(ctx, now)
    if (!created) throw conflict('The next key already exists or is being created: it signs within a day')
    const deleted = now ? await deleteOtherKeys(ctx, created.id) : 0
    await recordAudit(ctx, 'rotate-signing-keys', { type: 'signing-key', id: created.id }, { now, deleted })
    return { kid: created.kid, signsFrom: created.activeAt, deleted }
  },
})
