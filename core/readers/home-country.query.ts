import { publisherSettings } from '../accounts/publisher-settings.query.ts'
import type { Database } from '../database.ts'

/** The country of a publication's publisher, in which readers without a country live. */
export async function homeCountryOf(ctx: { db: Database }, publicationId: number): Promise<string> {
  const [publication] = await ctx.db.query<{ publisher_id: number }>(
    `SELECT publisher_id FROM publications WHERE id = :publicationId`,
    { publicationId },
  )
  return (await publisherSettings(ctx, Number(publication?.publisher_id))).homeCountry
}
