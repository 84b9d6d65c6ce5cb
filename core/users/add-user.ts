import { z } from 'zod'
import { actingPublisherId } from '../access/actor.ts'
import { hashPassword } from '../access/passwords.ts'
import { type UserType, userTypes } from '../access/user-types.ts'
import type { AppContext } from '../context.ts'
import { invalid, notFound } from '../kernel/errors.ts'
import { lineText } from '../kernel/form-fields.ts'
import type { FieldPhrases } from '../kernel/phrases.ts'
import { useCase } from '../use-case.ts'
import { makeUser } from './make-user.ts'
import { hasNewPassword, newUserPasswordProblems } from './new-user-password.ts'
import { ownPublisher } from './own-user.ts'
import { OptionalId, passwordFields, personFields } from './person.input.ts'
import { emailTakenProblem } from './taken-email.ts'
import { addableTypes, isStaffType } from './user-rights.rules.ts'

const AddUserInput = z.object({
  ...personFields,
  ...passwordFields,
  userType: z.enum(userTypes, 'Choose a role'),
  /** Only for users that represent a company; a publisher's staff belongs to the publisher's company. */
  companyName: lineText(200).default(''),
  /** The publisher whose staff the user joins, for actors who manage several publishers. */
  publisherId: OptionalId,
})

/**
 * Adds a member of staff to a publisher: to the actor's own publisher, or to a chosen one if the actor manages several. With a password, the user can
 * log in immediately; without one, the user is invited by email. The machine's operator may add users of any type.
 */
export const addUser = useCase({
  permission: 'user:write',
  input: AddUserInput,
  transaction: 'none',
  async alsoCheck(ctx, raw): Promise<FieldPhrases> {
    return {
      ...(await newUserPasswordProblems(ctx, raw)),
      ...(await emailTakenProblem(ctx, raw.email)),
      ...typeProblem(ctx, raw),
    }
  },
  async run(ctx, input): Promise<{ id: number; isInvited: boolean }> {
    const { userType, publisherId, firstName, lastName, email, companyName } = input
    const parentPublisherId = isStaffType(userType) ? await parentOf(ctx, publisherId) : null
    const passwordHash = hasNewPassword(input) ? await hashPassword(input.password ?? '') : null
    return makeUser(
      ctx,
      { userType, firstName, lastName, email, passwordHash, parentPublisherId },
      { account: isStaffType(userType) ? null : { companyName }, action: 'add-user' },
    )
  },
})

function typeProblem({ actor }: AppContext, { userType, publisherId }: Record<string, unknown>): FieldPhrases {
  if (!userTypes.includes(userType as UserType)) return {}
  if (!addableTypes(actor, userTypes).includes(userType as UserType))
    return { userType: 'This type cannot be added here' }
  const mustChoose = isStaffType(String(userType)) && actingPublisherId(actor) === null
  return mustChoose && !publisherId ? { publisherId: 'Choose the publisher' } : {}
}

/** The publisher a new member of staff belongs to. A publisher that the actor does not manage is not found. */
async function parentOf(ctx: AppContext, chosenId: number | undefined): Promise<number> {
  const actingId = actingPublisherId(ctx.actor)
  if (actingId !== null) {
    if (chosenId !== undefined && chosenId !== actingId) throw notFound('The user')
    return actingId
  }
  const publisher = await ownPublisher(ctx, chosenId ?? 0)
  if (!publisher.isActive)
    throw invalid({ publisherId: 'This publisher is deactivated. Reactivate it first, or choose another one.' })
  return publisher.id
}
