import type { UserType } from '../access/user-types.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { leaveInvitation } from './leave-invitation.ts'
import { orTaken } from './taken-email.ts'
import { Users } from './user.model.ts'
import { userSubject } from './user-subject.ts'

export interface NewUser {
  userType: UserType
  email: string
  firstName: string
  lastName: string
  /** Without one the user is invited by mail to set it. */
  passwordHash: string | null
  parentPublisherId?: number | null
  resellerId?: number | null
}

/** The account beside a user that stands for a company; what is left out keeps the column's own default. */
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

/** Writes a new user, with its account where it has one, and invites it where it has no password; all or nothing. */
export function makeUser(
  ctx: AppContext,
  user: NewUser,
  { account, action }: { account: NewAccount | null; action: 'add-user' | 'add-publisher' },
): Promise<{ id: number; isInvited: boolean }> {
  return orTaken(() =>
    ctx.db.transaction(async () => {
      const made = await Users(ctx).create({ ...user, emailKey: user.email.toLowerCase() })
      if (account) await makeAccount(ctx, made.id, user, account)
      const isInvited = user.passwordHash === null
      if (isInvited) await leaveInvitation(ctx, made.id)
      const subject = userSubject({ id: made.id, parentPublisherId: user.parentPublisherId ?? null })
      await recordAudit(ctx, action, subject, { userType: user.userType, isInvited })
      return { id: made.id, isInvited }
    }),
  )
}

async function makeAccount(ctx: AppContext, userId: number, user: NewUser, account: NewAccount): Promise<void> {
  await ctx.db.run(
    `INSERT INTO accounts (user_id, company_name, main_contact, full_name, address_one, address_two, address_three, address_four, country,
       post_zip, mobile, telephone, email_address, single_email_address, number_of_publications, created_at, updated_at)
     VALUES (:userId, :companyName, :mainContact, :fullName, :addressOne, :addressTwo, :addressThree, :addressFour, :country,
       :postZip, :mobile, :telephone, :emailAddress, :emailAddress, :numberOfPublications, :now, :now)`,
    {
      userId,
      companyName: account.companyName,
      mainContact: account.mainContact ?? '',
      fullName: `${user.firstName} ${user.lastName}`,
      addressOne: account.addressOne ?? '',
      addressTwo: account.addressTwo ?? '',
      addressThree: account.addressThree ?? '',
      addressFour: account.addressFour ?? '',
      country: account.country ?? 'GB',
      postZip: account.postZip ?? '',
      mobile: account.mobile ?? '',
      telephone: account.telephone ?? '',
      emailAddress: account.emailAddress || user.email,
      numberOfPublications: account.numberOfPublications ?? 1,
      now: ctx.now(),
    },
  )
}
