import type { AppContext } from '../context.ts'
import type { FieldErrors } from '../kernel/errors.ts'
import { countOf } from '../kernel/text-format.ts'
import { hasNewPassword } from './new-user-password.ts'
import { denialReason, isStaffType, type staffTypes } from './user-rights.rules.ts'
import type { UserRow } from './users.rows.ts'

/** The fields that differ from what is stored, and that the actor may change. */
export interface UserChanges {
  firstName?: string
  lastName?: string
  email?: string
  companyName?: string
  userType?: (typeof staffTypes)[number]
  numberOfPublications?: number
}

/**
 * Compares the input for a user with what is stored: `changes` are the fields that differ and that this actor may change, `problems` the refusals for
 * those that the actor may not. Accepts a raw form as well as checked input.
 */
export async function allowedChanges(
  ctx: AppContext,
  target: UserRow,
  input: Record<string, unknown>,
): Promise<{ changes: UserChanges; problems: FieldErrors }> {
  const { actor } = ctx
  const account = await accountOf(ctx, target.id)
  const changes: UserChanges = {}
  const problems: FieldErrors = {}
  const refuse = (field: string, reason: string | null) => {
    if (reason) problems[field] = reason
    return reason !== null
  }
  for (const field of ['firstName', 'lastName'] as const) {
    const text = textOf(input[field])
    if (text !== undefined && text !== target[field]) changes[field] = text
  }
  const email = textOf(input.email)
  if (email !== undefined && email !== target.email && !refuse('email', denialReason(actor, 'email', target)))
    changes.email = email
  if (hasNewPassword(input)) refuse('password', denialReason(actor, 'password', target))
  const userType = textOf(input.userType)
  if (
    userType !== undefined &&
    userType !== target.userType &&
    !refuse('userType', denialReason(actor, 'type', target))
  ) {
    if (isStaffType(userType)) changes.userType = userType
    else problems.userType = 'A user cannot be given this type'
  }
  // A publisher's staff belongs to the publisher's company, so this field is ignored for them.
  const companyName = isStaffType(target.userType) ? undefined : textOf(input.companyName)
  if (companyName !== undefined && companyName !== account.companyName) {
    if (target.userType === 'reseller') changes.companyName = companyName
    else problems.companyName = 'Only the user can change the company, in My Account'
  }
  const titles = textOf(input.numberOfPublications)
  if (titles !== undefined && Number(titles) !== account.allowed) {
    if (
      !refuse(
        'numberOfPublications',
        denialReason(actor, 'titles', target) ?? tooFewTitles(Number(titles), account.titles),
      )
    )
      changes.numberOfPublications = Number(titles)
  }
  return { changes, problems }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : undefined
}

function tooFewTitles(allowed: number, titles: number): string | null {
  return allowed < titles ? `This publisher has ${countOf(titles, 'title')} already. Allow at least ${titles}.` : null
}

async function accountOf(
  { db }: AppContext,
  userId: number,
): Promise<{ companyName: string; allowed: number; titles: number }> {
  const [row] = await db.query<{ company_name: string; allowed: number; titles: number }>(
    `SELECT a.company_name, a.number_of_publications AS allowed,
            (SELECT COUNT(*) FROM publications p WHERE p.publisher_id = a.user_id AND p.removed_at IS NULL AND p.paused_at IS NULL AND NOT p.is_example) AS titles
     FROM accounts a WHERE a.user_id = :userId`,
    { userId },
  )
  return { companyName: row?.company_name ?? '', allowed: row?.allowed ?? 0, titles: Number(row?.titles ?? 0) }
}
