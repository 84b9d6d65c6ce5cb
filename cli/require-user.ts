import type { AppContext } from '#core/context.ts'
import type { UserView } from '#core/users/get-user.query.ts'
import { usageError } from './cli-error.ts'
import type { CliOutput } from './cli-output.ts'
import { promptText } from './prompt.ts'

/** Throws, before the database is opened, if no user is given and there is no terminal to ask on. */
export function requireUser(cliOutput: CliOutput, email: string | undefined): void {
  if (email === undefined && !cliOutput.canPrompt())
    throw usageError('no user given', 'specify the email; to list the users: subscriptions users list')
}

/** The user with this email, or the one typed on the terminal. */
export async function userNamed(cliOutput: CliOutput, ctx: AppContext, email: string | undefined): Promise<UserView> {
  const [{ findUser }, { getUser }] = await Promise.all([
    import('#core/users/find-user.query.ts'),
    import('#core/users/get-user.query.ts'),
  ])
  const { id } = await findUser(ctx, { email: email ?? (await promptText(cliOutput, "The user's email")) })
  return getUser(ctx, { id })
}
