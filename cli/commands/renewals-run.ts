import type { Command } from 'commander'
import { type Cli, flags } from '../command.ts'

/** Of what is done for a day and for all titles, those of a publisher or one of them. */
export interface RunFlags {
  on?: string
  publication?: string
  publisher?: string
  dryRun?: boolean
}

export const withRun = (command: Command, day: string) =>
  command
    .option('--on <date>', `${day}, as DD/MM/YYYY; today where none is named`)
    .option(...flags.publication)
    .option('--publisher <email>', 'only the titles of this publisher, by its email')

/** Opens the core for a run over all titles, those of a publisher or one of them. */
export async function inRun<Done>(
  cli: Cli,
  { as, publication, publisher }: RunFlags & { as?: string },
  work: (
    ctx: import('#core/context.ts').AppContext,
    of: { publicationId?: number; publisherId?: number },
  ) => Promise<Done>,
): Promise<Done> {
  const [{ withSession }, { choosePublication }, { ownPublication, onePublisher }, { findStaffActor }] =
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
        : onePublisher({ ...ctx, actor: await findStaffActor(ctx, { email: publisher }) })
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
