import type { AppContext } from '#core/context.ts'
import type { UserView } from '#core/users/get-user.query.ts'
import { askText } from './ask.ts'
import { wrongUse } from './cli-error.ts'
import type { Talk } from './talk.ts'

/** Refuses early, before anything is opened, what could not be asked for. */
export function requireUser(talk: Talk, email: string | undefined): void {
  if (email === undefined && !talk.canAsk())
    throw wrongUse('which user?', 'name the e-mail; the users: subscriptions users list')
}

/** The user with this e-mail, or on a terminal the one that is typed. */
export async function userNamed(talk: Talk, ctx: AppContext, email: string | undefined): Promise<UserView> {
  const [{ findUser }, { getUser }] = await Promise.all([
    import('#core/users/find-user.query.ts'),
    import('#core/users/get-user.query.ts'),
  ])
  const { id } = await findUser(ctx, { email: email ?? (await askText(talk, "The user's e-mail")) })
  return getUser(ctx, { id })
}
