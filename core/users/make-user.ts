import type { UserType } from '../access/user-types.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { Accounts } from './accounts.rows.ts'
import { enqueueInvitation } from './enqueue-invitation.ts'
import { reportTakenEmail } from './taken-email.ts'
import { userSubject } from './user-subject.ts'
import { Users } from './users.rows.ts'

export interface NewUser {
  userType: UserType
  email: string
  firstName: string
  lastName: string
  /** Null: the user is invited by email to set a password. */
  passwordHash: string | null
  parentPublisherId?: number | null
  resellerId?: number | null
}

/** The account of a user that represents a company; omitted fields keep the column's default. */
export interface NewAccount {
  companyName: string
  mainContact?: string
  addressOne?: string
  addressTwo?: string
  addressThree?: string
  addressFour?: string
  country?: string
  postZip?: string
  mobile?: string
  telephone?: string
  emailAddress?: string
  numberOfPublications?: number
}

/** Inserts a user with its account, if it has one, and enqueues an invitation if there is no password, in one transaction. */
export function makeUser(
  ctx: AppContext,
  user: NewUser,
  { account, action }: { account: NewAccount | null; action: 'add-user' | 'add-publisher' },
): Promise<{ id: number; isInvited: boolean }> {
  return reportTakenEmail(() =>
    ctx.db.transaction(async () => {
      const id = await Users.insert(ctx, { ...user, emailKey: user.email.toLowerCase() })
      if (account) await makeAccount(ctx, id, user, account)
      const isInvited = user.passwordHash === null
      if (isInvited) await enqueueInvitation(ctx, id)
      const subject = userSubject({ id, parentPublisherId: user.parentPublisherId ?? null })
      await recordAudit(ctx, action, subject, { userType: user.userType, isInvited })
      return { id, isInvited }
    }),
  )
}

async function makeAccount(ctx: AppContext, userId: number, user: NewUser, account: NewAccount): Promise<void> {
  const emailAddress = account.emailAddress || user.email
  const fullName = `${user.firstName} ${user.lastName}`
  await Accounts.insert(ctx, { ...account, userId, fullName, emailAddress, singleEmailAddress: emailAddress })
}
