import { z } from 'zod'
import { hashPassword } from '../access/passwords.ts'
import type { AppContext } from '../context.ts'
import { isEmailAddress, normalEmail } from '../kernel/email.rules.ts'
import { type FieldErrors, invalid, notFound } from '../kernel/errors.ts'
import { Country, lineText, requiredText } from '../kernel/form-fields.ts'
import { useCase } from '../use-case.ts'
import { makeUser } from './make-user.ts'
import { hasNewPassword, newUserPasswordProblems } from './new-user-password.ts'
import { ownUser } from './own-user.ts'
import { OptionalId, passwordFields, personFields, TitlesAllowed } from './person.input.ts'
import { emailTakenProblem } from './taken-email.ts'

const AddPublisherInput = z.object({
  userType: z.enum(['publisher', 'reseller'], 'Choose publisher or reseller').default('publisher'),
  companyName: requiredText(200),
  ...personFields,
  ...passwordFields,
  mainContact: lineText(200).default(''),
  addressOne: lineText(200).default(''),
  addressTwo: lineText(200).default(''),
  addressThree: lineText(200).default(''),
  addressFour: lineText(200).default(''),
  postZip: lineText(20).default(''),
  country: Country.default('GB'),
  mobile: lineText(40).default(''),
  telephone: lineText(40).default(''),
  /** The address that readers and the platform write to; empty: the user's own email. */
  emailAddress: lineText(254)
    .overwrite(normalEmail)
    .refine((text) => text === '' || isEmailAddress(text), 'Invalid email address')
    .default(''),
  numberOfPublications: TitlesAllowed.default(1),
  /** The reseller who manages the publisher: the acting reseller, or the one a superuser chooses; without one, only superusers do. */
  resellerId: OptionalId,
})

/** Adds a publisher, or (as a superuser) a reseller, with its account. Without a password, the new user is invited by email to set one. */
export const addPublisher = useCase({
  permission: 'publisher:write',
  input: AddPublisherInput,
  transaction: 'none',
  async alsoCheck(ctx, raw): Promise<FieldErrors> {
    return {
      ...(await newUserPasswordProblems(ctx, raw)),
      ...(await emailTakenProblem(ctx, raw.email)),
      ...(isReseller(ctx) && raw.userType === 'reseller' ? { userType: 'This type cannot be added here' } : {}),
    }
  },
  async run(ctx, input): Promise<{ id: number; isInvited: boolean }> {
    const {
      userType,
      firstName,
      lastName,
      email,
      access,
      password,
      password2,
      resellerId: chosenId,
      ...account
    } = input
    const resellerId = userType === 'publisher' ? await resellerOf(ctx, chosenId) : null
    const passwordHash = hasNewPassword({ access, password, password2 }) ? await hashPassword(password ?? '') : null
    return makeUser(
      ctx,
      { userType, firstName, lastName, email, passwordHash, resellerId },
      { account, action: 'add-publisher' },
    )
  },
})

function isReseller({ actor }: AppContext): boolean {
  return actor.kind === 'staff' && actor.userType === 'reseller'
}

async function resellerOf(ctx: AppContext, chosenId: number | undefined): Promise<number | null> {
  const { actor } = ctx
  if (actor.kind === 'staff' && actor.userType === 'reseller') {
    if (chosenId !== undefined && chosenId !== actor.userId) throw notFound('The reseller')
    return actor.userId
  }
  if (chosenId === undefined) return null
  const reseller = await ownUser(ctx, chosenId)
  if (reseller.userType !== 'reseller') throw notFound('The reseller')
  if (!reseller.isActive)
    throw invalid({ resellerId: 'This reseller is deactivated. Reactivate it first, or choose another one.' })
  return reseller.id
}
