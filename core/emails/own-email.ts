import type { AppContext } from '../context.ts'
import { notFound } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { Emails } from './emails.rows.ts'

/** The authorisation guard of the log: an email of a publication that the actor may act on. Masthead's own emails belong to no publisher. */
export async function ownEmail(ctx: AppContext, id: number) {
  const row = await Emails.find(ctx, { id })
  if (!row || row.publicationId === null) throw notFound('The email')
  const { publicationName, publisherId } = await ownPublication(ctx, { id: row.publicationId }).catch(() => {
    throw notFound('The email')
  })
  return { row: { ...row, publicationId: row.publicationId }, publicationName, publisherId }
}
