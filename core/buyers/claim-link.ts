import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Language } from '../kernel/languages.ts'
import { termSql } from '../terms/term.rules.ts'
import { makeClaim } from './account-claims.rows.ts'
import { emailKey } from './recognise-buyer.ts'

/** A reader whose digital subscription runs or has yet to begin. They may already have an account with a password. */
export interface Claimant {
  readerId: number
  publicationId: number
  urlKey: string
  email: string
  name: string
  firstName: string
  lastName: string
  /** The language of the account with that email; null if there is no account or its language is unknown. */
  language: Language | null
  country: string
  subEndOn: Day
}

interface Row {
  id: number
  publication_id: number
  url_key: string
  email: string
  title: string
  first_name: string
  last_name: string
  full_name: string
  language: Language | null
  country: string
  sub_end_on: Day
}

/** The reader with an email whose digital subscription runs or has yet to begin; of several, the one that ends last. Undefined if there is none. */
export async function findClaimant(
  ctx: AppContext,
  filter: { publicationId: number; email: string } | { readerId: number },
): Promise<Claimant | undefined> {
  const [row] = await ctx.db.query<Row>(
    `SELECT r.id, r.publication_id, p.url_key, r.email, r.title, r.first_name, r.last_name, r.full_name, b.language, r.country, r.sub_end_on
     FROM readers r JOIN publications p ON p.id = r.publication_id JOIN users u ON u.id = p.publisher_id
       LEFT JOIN buyers b ON b.publication_id = r.publication_id AND b.email_key = r.key_email
     WHERE ${'readerId' in filter ? 'r.id = :readerId' : `r.publication_id = :publicationId AND r.key_email = :keyEmail AND r.key_email <> ''`}
       AND r.is_deleted = :no AND r.sub_type IN ('digital', 'bundle') AND NOT (${termSql.over(':today')})
       AND p.removed_at IS NULL AND NOT p.is_example AND u.is_active
     ORDER BY r.sub_end_on DESC, r.id LIMIT 1`,
    {
      ...('readerId' in filter ? filter : { publicationId: filter.publicationId, keyEmail: emailKey(filter.email) }),
      no: false,
      today: dayOf(ctx.now(), ctx.settings.timeZone),
    },
  )
  return row && claimantOf(row)
}

function claimantOf(row: Row): Claimant {
  return {
    readerId: row.id,
    publicationId: row.publication_id,
    urlKey: row.url_key,
    email: row.email,
    name: [row.title, row.first_name, row.last_name].filter(Boolean).join(' ') || row.full_name,
    firstName: row.first_name,
    lastName: row.last_name,
    language: row.language,
    country: row.country,
    subEndOn: row.sub_end_on,
  }
}

/** Creates the link with which a reader sets a first password, and voids older ones; null if the reader may no longer claim or has no email. */
export async function makeClaimLink(ctx: AppContext, readerId: number): Promise<(Claimant & { url: string }) | null> {
  const claimant = await findClaimant(ctx, { readerId })
  if (!claimant?.email) return null
  const { publicationId, urlKey, email } = claimant
  const token = await makeClaim(ctx, { publicationId, emailKey: emailKey(email) })
  return { ...claimant, url: `${ctx.settings.appUrl}/${urlKey}/claim/${token}` }
}
