import { usageError } from './cli-error.ts'
import type { CliOutput } from './cli-output.ts'
import type { Session } from './session.ts'

/** Throws, before the database is opened, if no reader is given. */
export function requireReader(reference: string | undefined): string {
  if (reference === undefined) {
    throw usageError('no reader given', 'specify the unique reference; to find it: subscriptions readers search')
  }
  return reference
}

/** A reader of the chosen publication by its unique reference. */
export async function readerNamed(
  cliOutput: CliOutput,
  session: Session,
  options: { publication?: string | undefined; reference: string },
): Promise<{ id: number; version: number; urlKey: string }> {
  const { ctx } = session
  const [{ choosePublication }, { ownPublication }, { findReader }] = await Promise.all([
    import('./choose-publication.ts'),
    import('#core/publications/own-publication.ts'),
    import('#core/readers/find-reader.query.ts'),
  ])
  const urlKey = await choosePublication(cliOutput, session, options.publication)
  const { id: publicationId } = await ownPublication(ctx, { urlKey })
  return { ...(await findReader(ctx, { publicationId, uniqueReference: options.reference })), urlKey }
}
