import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { useCase } from '../use-case.ts'
import { requireManagedUser } from './require-managed-user.ts'
import { userSubject } from './user-subject.ts'
import { Users } from './users.rows.ts'

/** Reactivates a user, with the same password; if it is a publisher, its staff can log in again and its storefronts open. */
export const reactivateUser = useCase({
  permission: 'user:write',
  input: z.object({ id: z.coerce.number().int() }),
  async run(ctx, { id }): Promise<{ id: number; changed: boolean }> {
    // Whoever may deactivate a user may reactivate them.
    const target = await requireManagedUser(ctx, 'deactivate', id)
    const changed = await Users.update(ctx, { id: target.id, isActive: false }, { isActive: true })
    if (changed > 0) await recordAudit(ctx, 'reactivate-user', userSubject(target), { userType: target.userType })
    return { id: target.id, changed: changed > 0 }
  },
})
