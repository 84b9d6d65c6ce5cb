import { z } from 'zod'
import { type UserType, userTypes } from '../access/user-types.ts'
import { emailToFind } from '../kernel/email-address.ts'
import { AppError, notFound } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { visibleUsers } from './own-user.ts'
import { Users } from './users.rows.ts'

export interface FoundUser {
  id: number
  email: string
  name: string
  userType: UserType
}

/** A user the actor manages, active or not, by email: the command line identifies users by email. */
export const findUser = useCase({
  permission: 'user:read',
  input: z.object({
    email: emailToFind(),
    /** The type that the user must have. */
    userType: z.enum(userTypes).optional(),
  }),
  transaction: 'none',
  async run(ctx, { email, userType }): Promise<FoundUser> {
    const { sql, values } = visibleUsers(ctx)
    const [visibleUser] = await ctx.db.query<{ id: number }>(
      `SELECT u.id FROM users u WHERE u.email_key = :key AND ${sql}`,
      {
        ...values,
        key: email.toLowerCase(),
      },
    )
    const user = visibleUser && (await Users.find(ctx, { id: visibleUser.id }))
    if (!user) throw notFound(`A user with the email ${email}`, 'List the users with: subscriptions users list')
    if (userType && user.userType !== userType) {
      throw new AppError('notFound', `${user.email} is not a ${userType}`, {
        hint: `List them with: subscriptions publishers list --type ${userType}`,
      })
    }
    const { id, firstName, lastName } = user
    return { id, email: user.email, name: `${firstName} ${lastName}`.trim() || user.email, userType: user.userType }
  },
})
