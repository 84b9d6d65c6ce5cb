import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { rowLock } from '../dialect.ts'
import { conflict } from '../kernel/errors.ts'
import { endSessions, endStaffSessions } from '../sessions/sessions.rows.ts'
import { useCase } from '../use-case.ts'
import { requireManagedUser } from './require-managed-user.ts'
import { revokeScriptKeys } from './script-keys.rows.ts'
import { userSubject } from './user-subject.ts'
import { incrementStaffTokenVersions, incrementTokenVersion, Users } from './users.rows.ts'

/**
 * Deactivates a user: every session and API token ends, but nothing is deleted. If it is a publisher, its staff is locked out too and its storefronts
 * close. Idempotent.
 */
export const deactivateUser = useCase({
  permission: 'user:write',
  input: z.object({ id: z.coerce.number().int() }),
  async run(ctx, { id }): Promise<{ id: number; changed: boolean }> {
    const target = await requireManagedUser(ctx, 'deactivate', id)
    if (target.userType === 'superuser') await requireAnotherSuperuser(ctx, target.id)
    const changed = await Users.update(ctx, { id: target.id, isActive: true }, { isActive: false })
    if (changed === 0) return { id: target.id, changed: false }
    await incrementTokenVersion(ctx, target.id)
    await endSessions(ctx, { userId: target.id }, 'deactivated')
    await revokeScriptKeys(ctx, target.id)
    const staff = target.userType === 'publisher' ? await lockOutStaff(ctx, target.id) : 0
    await recordAudit(ctx, 'deactivate-user', userSubject(target), { userType: target.userType, staff })
    return { id: target.id, changed: true }
  },
})

/** At least one superuser must stay active. The rows are locked, so that of two concurrent calls only one succeeds. */
async function requireAnotherSuperuser(ctx: AppContext, id: number): Promise<void> {
  const active = await ctx.db.query<{ id: number }>(
    `SELECT id FROM users WHERE user_type = 'superuser' AND is_active = :yes ORDER BY id ${rowLock(ctx.db)}`,
    { yes: true },
  )
  if (active.length === 1 && active[0]?.id === id)
    throw conflict('This is the last active superuser. Add or reactivate another one first.')
}

/** Ends the sessions and tokens of a publisher's staff. They can log in again when the publisher is reactivated. Returns how many there are. */
async function lockOutStaff(ctx: AppContext, publisherId: number): Promise<number> {
  await endStaffSessions(ctx, publisherId)
  return incrementStaffTokenVersions(ctx, publisherId)
}
