import type { Command } from 'commander'
import { type Cli, flags } from '../command.ts'

/** The flags of commands that run for a day: for all titles, the titles of one publisher, or one title. */
export interface RunFlags {
  on?: string
  publication?: string
  publisher?: string
  dryRun?: boolean
}

export const withRunFlags = (command: Command, day: string) =>
  command
    .option('--on <date>', `${day}, as DD/MM/YYYY (default: today)`)
    .option(...flags.publication)
    .option('--publisher <email>', 'only the titles of this publisher, by its email')

/** Runs `work` for all titles, the titles of one publisher, or one title. */
export async function withRunScope<Done>(
  cli: Cli,
  { as, publication, publisher }: RunFlags & { as?: string },
  work: (
    ctx: import('#core/context.ts').AppContext,
    scope: { publicationId?: number; publisherId?: number },
  ) => Promise<Done>,
): Promise<Done> {
  const [{ withSession }, { choosePublication }, { ownPublication, requirePublisherId }, { findStaffActor }] =
    await Promise.all([
      import('../session.ts'),
      import('../choose-publication.ts'),
      import('#core/publications/own-publication.ts'),
      import('#core/users/find-staff-actor.ts'),
    ])
  return withSession(cli.cliOutput, { as }, async (session) => {
    const { ctx } = session
    const publisherId =
      publisher === undefined
        ? undefined
        : requirePublisherId({ ...ctx, actor: await findStaffActor(ctx, { email: publisher }) })
    const publicationId =
      publication === undefined
        ? undefined
        : (await ownPublication(ctx, { urlKey: await choosePublication(cli.cliOutput, session, publication) })).id
    return work(ctx, {
      ...(publisherId === undefined ? {} : { publisherId }),
      ...(publicationId === undefined ? {} : { publicationId }),
    })
  })
}
