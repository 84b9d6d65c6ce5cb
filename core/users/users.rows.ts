import type { UserType } from '../access/user-types.ts'
import type { AppContext } from '../context.ts'
import { defaulted, defineTable, flag, id, instant, integer, json, nullable, type RowOf, ref, text } from '../table.ts'

/** The users of the back office: superusers, resellers, publishers and their staff. */
export const Users = defineTable('users', {
  id: id(),
  userType: text<UserType>(),
  email: text(),
  /** The email in lower case, so that it is unique whatever its case. */
  emailKey: text(),
  firstName: defaulted(text()),
  lastName: defaulted(text()),
  /** From an older release, no longer used. */
  userName: nullable(text()),
  passwordHash: nullable(text()),
  /** Sessions and tokens of an older version are invalid. */
  tokenVersion: defaulted(integer()),
  parentPublisherId: nullable(ref()),
  resellerId: nullable(ref()),
  isActive: defaulted(flag()),
  avatarFile: nullable(text()),
  lastLoginAt: nullable(instant()),
  invitedAt: nullable(instant()),
  /** Sealed. Set when the set-up of two-step log-in begins; in force once `twoStepSince` is set. */
  twoStepSecret: nullable(text()),
  /** Hashes of the unused recovery codes. */
  twoStepRecoveryCodes: nullable(json<readonly string[]>()),
  twoStepSince: nullable(instant()),
  /** The time step of the last used code: each code is valid once. */
  twoStepLastStep: nullable(integer()),
  createdAt: instant(),
  updatedAt: instant(),
})

export type UserRow = RowOf<typeof Users>

/** Adds a user, or returns null if the email is already taken. */
export function insertUser(
  ctx: AppContext,
  user: Omit<Parameters<typeof Users.insertNew>[1], 'emailKey'>,
): Promise<UserRow | null> {
  return Users.insertNew(ctx, { ...user, emailKey: user.email.toLowerCase() })
}

/** Changes the fields that users may change themselves, except the password (`storePassword`). */
export async function changeUser(
  ctx: AppContext,
  id: number,
  { email, ...changes }: Partial<Pick<UserRow, 'firstName' | 'lastName' | 'email' | 'avatarFile'>>,
): Promise<void> {
  await Users.update(ctx, { id }, { ...changes, ...(email !== undefined && { email, emailKey: email.toLowerCase() }) })
}

/** Locks a user's row until the end of the transaction and returns it: a concurrent caller waits, and reads what this one wrote. */
export async function lockedUser(ctx: AppContext, id: number): Promise<UserRow | null> {
  // SQLite has no row locks: an UPDATE that changes nothing takes the write lock there.
  const [user] = await Users.rows(
    ctx,
    `UPDATE users SET updated_at = updated_at WHERE id = :id RETURNING ${Users.columns()}`,
    { id },
  )
  return user ?? null
}

/** Ends every session and token of a user. Call it in the transaction of the change that requires it. */
export async function incrementTokenVersion(ctx: AppContext, id: number): Promise<void> {
  await ctx.db.run(`UPDATE users SET token_version = token_version + 1, updated_at = :now WHERE id = :id`, {
    id,
    now: ctx.now(),
  })
}

/** Ends every session and token of a publisher's staff. Returns the number of users. */
export function incrementStaffTokenVersions(ctx: AppContext, publisherId: number): Promise<number> {
  return ctx.db.run(
    `UPDATE users SET token_version = token_version + 1, updated_at = :now WHERE parent_publisher_id = :publisherId`,
    { publisherId, now: ctx.now() },
  )
}

/** Marks the time step of an app's code as used; false if this or a later one was used before. */
export async function takeTwoStepCode(ctx: AppContext, id: number, step: number): Promise<boolean> {
  const changedRows = await ctx.db.run(
    `UPDATE users SET two_step_last_step = :step WHERE id = :id AND (two_step_last_step IS NULL OR two_step_last_step < :step)`,
    { step, id },
  )
  return changedRows > 0
}
