import { z } from 'zod'
import { hashPassword } from '../access/passwords.ts'
import type { UserType } from '../access/user-types.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { BasedOn, refuseOutdated } from '../kernel/based-on.ts'
import { EmailAddress } from '../kernel/email-address.ts'
import { lineText, requiredText } from '../kernel/form-fields.ts'
import { inputId } from '../kernel/input-values.ts'
import type { FieldPhrases } from '../kernel/phrases.ts'
import { notifyUser } from '../sessions/notify.ts'
import { voidLinks } from '../sessions/password-resets.rows.ts'
import { endSessions } from '../sessions/sessions.rows.ts'
import { useCase } from '../use-case.ts'
import { changeAccount, lockAccount } from './accounts.rows.ts'
import { allowedChanges, type UserChanges } from './allowed-changes.ts'
import { enqueueInvitation } from './enqueue-invitation.ts'
import { getUser } from './get-user.query.ts'
import { hasNewPassword, newUserPasswordProblems } from './new-user-password.ts'
import { passwordFields, TitlesAllowed } from './person.input.ts'
import { requireManagedUser } from './require-managed-user.ts'
import { storePassword } from './store-password.ts'
import { emailTakenProblem, reportTakenEmail } from './taken-email.ts'
import { userSubject } from './user-subject.ts'
import { changeUser, incrementTokenVersion, lockedUser, type UserRow, Users } from './users.rows.ts'

/** Fields that are not sent do not change. */
const UpdateUserInput = z.object({
  id: z.coerce.number().int(),
  firstName: requiredText(100).optional(),
  lastName: requiredText(100).optional(),
  email: EmailAddress.optional(),
  companyName: lineText(200).optional(),
  userType: z.string().optional(),
  numberOfPublications: TitlesAllowed.optional(),
  ...passwordFields,
  basedOn: BasedOn,
})

/**
 * Changes a user the actor manages: only the fields that this actor may change for this user. A new type or password ends the user's sessions and
 * tokens, a new email voids links sent to the old one; the user is emailed about a new password or email. A user's publisher never changes.
 */
export const updateUser = useCase({
  permission: 'user:write',
  input: UpdateUserInput,
  transaction: 'none',
  async alsoCheck(ctx, raw): Promise<FieldPhrases> {
    const target = await requireManagedUser(ctx, 'edit', inputId(raw.id))
    return {
      ...(await newUserPasswordProblems(ctx, raw)),
      ...(await emailTakenProblem(ctx, raw.email, target.id)),
      ...(await allowedChanges(ctx, target, raw)).problems,
    }
  },
  async run(ctx, { basedOn, ...input }): Promise<{ id: number; changed: string[] }> {
    const passwordHash = hasNewPassword(input) ? await hashPassword(input.password ?? '') : null
    return reportTakenEmail(() =>
      ctx.db.transaction(async () => {
        await lockedUser(ctx, input.id)
        await lockAccount(ctx, input.id)
        const target = await requireManagedUser(ctx, 'edit', input.id)
        if (basedOn) refuseOutdated(basedOn, await getUser(ctx, { id: target.id }), input)
        const { changes } = await allowedChanges(ctx, target, input)
        const changed = [...Object.keys(changes), ...(passwordHash ? ['password'] : [])]
        if (changed.length > 0) await recordAudit(ctx, 'update-user', userSubject(target), { fields: changed })
        if (passwordHash) await setPassword(ctx, target, passwordHash)
        await writeChanges(ctx, target, changes)
        return { id: target.id, changed }
      }),
    )
  },
})

async function setPassword(ctx: AppContext, target: UserRow, passwordHash: string): Promise<void> {
  await storePassword(ctx, target, passwordHash)
  await notifyUser(ctx, target.id, 'password-changed')
}

async function writeChanges(ctx: AppContext, target: UserRow, changes: UserChanges): Promise<void> {
  const { companyName, numberOfPublications, email, userType, ...names } = changes
  const account = { companyName, numberOfPublications }
  if (companyName !== undefined || numberOfPublications !== undefined) await changeAccount(ctx, target.id, account)
  if (Object.keys(names).length > 0) await Users.update(ctx, { id: target.id }, names)
  if (userType) await changeType(ctx, target.id, userType)
  if (email) await changeEmail(ctx, target, email)
}

/** Changes the role: sessions and API tokens of the old role end. */
async function changeType(ctx: AppContext, id: number, userType: UserType): Promise<void> {
  await Users.update(ctx, { id }, { userType })
  await incrementTokenVersion(ctx, id)
  await endSessions(ctx, { userId: id }, 'role-changed')
}

/** Changes the email and voids links sent to the old one. Both addresses are notified; a user who never set a password is invited again instead. */
async function changeEmail(ctx: AppContext, target: UserRow, email: string): Promise<void> {
  const oldEmail = target.email
  await changeUser(ctx, target.id, { email })
  await voidLinks(ctx, { userId: target.id })
  const user = await Users.find(ctx, { id: target.id })
  if (!user?.passwordHash) return enqueueInvitation(ctx, target.id)
  for (const to of [oldEmail, email]) await notifyUser(ctx, target.id, 'email-changed', to)
}
