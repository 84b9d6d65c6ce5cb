import { z } from 'zod'
import { hashPassword } from '../access/passwords.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { EmailAddress } from '../kernel/email-address.ts'
import { lineText, neededText } from '../kernel/form-fields.ts'
import { givenId } from '../kernel/given-values.ts'
import type { FieldPhrases } from '../kernel/phrases.ts'
import type { Stored } from '../model.ts'
import { tellUser } from '../sessions/leave-notice.ts'
import { voidLinks } from '../sessions/password-resets.rows.ts'
import { endSessions } from '../sessions/sessions.rows.ts'
import { useCase } from '../use-case.ts'
import { allowedChanges, type UserChanges } from './allowed-changes.ts'
import { givenPasswordProblems, givesPassword } from './given-password.ts'
import { leaveInvitation } from './leave-invitation.ts'
import { passwordFields, TitlesAllowed } from './person.input.ts'
import { storePassword } from './store-password.ts'
import { orTaken, takenEmail } from './taken-email.ts'
import type { UserRow } from './user.model.ts'
import { userFor } from './user-for.ts'
import { userSubject } from './user-subject.ts'

/** What is not sent stays as it is. */
const UpdateUserInput = z.object({
  id: z.coerce.number().int(),
  firstName: neededText(100).optional(),
  lastName: neededText(100).optional(),
  email: EmailAddress.optional(),
  companyName: lineText(200).optional(),
  userType: z.string().optional(),
  numberOfPublications: TitlesAllowed.optional(),
  ...passwordFields,
})

/**
 * Changes a user the actor looks after: only the fields that this actor may change in this user. Another type, password or e-mail ends
 * what hangs on the old one, and the user is told by mail. To whom a user belongs never changes.
 */
export const updateUser = useCase({
  permission: 'user:write',
  input: UpdateUserInput,
  transaction: 'none',
  async alsoCheck(ctx, raw): Promise<FieldPhrases> {
    const target = await userFor(ctx, 'edit', givenId(raw.id))
    return {
      ...(await givenPasswordProblems(ctx, raw)),
      ...(await takenEmail(ctx, raw.email, target.id)),
      ...(await allowedChanges(ctx, target, raw)).problems,
    }
  },
  async run(ctx, input): Promise<{ id: number; changed: string[] }> {
    const target = await userFor(ctx, 'edit', input.id)
    const passwordHash = givesPassword(input) ? await hashPassword(input.password ?? '') : null
    return orTaken(() =>
      ctx.db.transaction(async () => {
        const { changes } = await allowedChanges(ctx, target, input)
        if (passwordHash) await givePassword(ctx, target, passwordHash)
        await writeChanges(ctx, target, changes)
        const changed = [...Object.keys(changes), ...(passwordHash ? ['password'] : [])]
        if (changed.length > 0) await recordAudit(ctx, 'update-user', userSubject(target), { fields: changed })
        return { id: target.id, changed }
      }),
    )
  },
})

async function givePassword(ctx: AppContext, target: Stored<UserRow>, passwordHash: string): Promise<void> {
  await storePassword(ctx, target, passwordHash)
  await tellUser(ctx, target.id, 'password-changed')
}

async function writeChanges(ctx: AppContext, target: Stored<UserRow>, changes: UserChanges): Promise<void> {
  const { companyName, numberOfPublications, email, userType, ...names } = changes
  const now = ctx.now()
  const account = {
    ...(companyName === undefined ? {} : { company_name: companyName }),
    ...(numberOfPublications === undefined ? {} : { number_of_publications: numberOfPublications }),
  }
  for (const [column, value] of Object.entries(account)) {
    await ctx.db.run(`UPDATE accounts SET ${column} = :value, updated_at = :now WHERE user_id = :id`, {
      value,
      now,
      id: target.id,
    })
  }
  if (Object.keys(names).length > 0) await target.update(names)
  if (userType) await changeType(ctx, target.id, userType)
  if (email) await changeEmail(ctx, target, email)
}

/** Another role: whoever is logged in with the old one is not any more, and neither are its API tokens. */
async function changeType(ctx: AppContext, id: number, userType: string): Promise<void> {
  await ctx.db.run(
    `UPDATE users SET user_type = :userType, token_version = token_version + 1, updated_at = :now WHERE id = :id`,
    { id, userType, now: ctx.now() },
  )
  await endSessions(ctx, { userId: id }, 'role-changed')
}

/** Another e-mail: links that went to the old one are void; both addresses are told, and who never set a password is invited anew. */
async function changeEmail(ctx: AppContext, target: Stored<UserRow>, email: string): Promise<void> {
  const before = target.email
  await target.update({ email, emailKey: email.toLowerCase() })
  await voidLinks(ctx, { userId: target.id })
  const [{ password_hash } = { password_hash: null }] = await ctx.db.query<{ password_hash: string | null }>(
    `SELECT password_hash FROM users WHERE id = :id`,
    { id: target.id },
  )
  if (password_hash === null) return leaveInvitation(ctx, target.id)
  for (const to of [before, email]) await tellUser(ctx, target.id, 'email-changed', to)
}
