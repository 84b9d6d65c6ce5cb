import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { useCase } from '../use-case.ts'
import { requireManagedUser } from './require-managed-user.ts'
import { userSubject } from './user-subject.ts'
import { Users } from './users.rows.ts'

/** Lets a deactivated user in again, with the same password; a publisher's staff and storefronts are reactivated with it. */
export const reactivateUser = useCase({
  permission: 'user:write',
  input: z.object({ id: z.coerce.number().int() }),
  async run(ctx, { id }): Promise<{ id: number; changed: boolean }> {
    // The permission to deactivate includes that to reactivate.
    const target = await requireManagedUser(ctx, 'deactivate', id)
    const changed = await Users.update(ctx, { id: target.id, isActive: false }, { isActive: true })
    if (changed > 0) await recordAudit(ctx, 'reactivate-user', userSubject(target), { userType: target.userType })
    return { id: target.id, changed: changed > 0 }
  },
})
