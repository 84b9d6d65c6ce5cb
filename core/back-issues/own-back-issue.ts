import type { AppContext } from '../context.ts'
import { notFound } from '../kernel/errors.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { type BackIssueRow, BackIssues } from './back-issues.rows.ts'

export interface OwnBackIssue {
  issue: BackIssueRow
  publisherId: number
}

/** The authorisation guard of back issues: another publisher's, a removed and an unknown one are all `notFound`. */
export async function ownBackIssue(ctx: AppContext, id: number): Promise<OwnBackIssue> {
  const { publisherId } = tenantOf(ctx)
  const [row] = await ctx.db.query<{ publisher_id: number }>(
    `SELECT p.publisher_id FROM back_issues b JOIN publications p ON p.id = b.publication_id
     WHERE b.id = :id AND b.removed_at IS NULL AND p.removed_at IS NULL
       ${publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId'}`,
    { id, publisherId: publisherId ?? null },
  )
  const issue = row && (await BackIssues.find(ctx, { id }))
  if (!row || !issue) throw notFound('The back issue')
  return { issue, publisherId: row.publisher_id }
}
