import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { emailToFind } from '../kernel/email-address.ts'
import { AppError } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { isLive } from './live-user.ts'
import { staffActor } from './staff-actor.ts'
import { Users } from './users.rows.ts'

/** The actor of an active staff user, by email: the machine's operator then acts with that user's rights. */
export const findStaffActor = useCase({
  permission: 'machine:operate',
  input: z.object({ email: emailToFind() }),
  transaction: 'none',
  async run(ctx, { email }): Promise<Actor> {
    const user = await Users.find(ctx, { emailKey: email.toLowerCase() })
    if (user && (await isLive(ctx, user))) return staffActor(user)
    // A member of staff is also locked out while the publisher is deactivated.
    const hint = `The ${user?.isActive ? 'user’s publisher' : 'user'} is deactivated: reactivate them first, or act as somebody else.`
    throw new AppError('notFound', `There is no active user with the email ${email}`, { hint: user ? hint : undefined })
  },
})
