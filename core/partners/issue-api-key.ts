import { randomUUID } from 'node:crypto'
import type { PartnerScope } from '../access/permissions.ts'
import { seal } from '../access/sealed.ts'
import { hashToken, newToken } from '../access/tokens.ts'
import type { AuditAction } from '../audit/audit-actions.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { conflict } from '../kernel/errors.ts'
import type { PublicationRow } from '../publications/publications.rows.ts'
import { type ApiKeyRow, ApiKeys } from './api-keys.rows.ts'

/** How long a key still works after it was replaced, so that a partner has time to install the new one. */
const overlapHours = 24

/** The prefix of every key, by which it is recognised in a log or a repository. */
export const apiKeyPrefix = 'mk_'

/**
 * Makes a key of a publication. The text is compared by its hash; the sealed copy is for showing it to its publisher again. Throws
 * `conflict` if a key of that name is in use. Call it in a transaction.
 */
export async function issueApiKey(
  ctx: AppContext,
  { id: publicationId }: Pick<PublicationRow, 'id'>,
  { name, scopes }: { name: string; scopes: readonly PartnerScope[] },
): Promise<{ id: number; key: string }> {
  const key = `${apiKeyPrefix}${newToken()}`
  const row = await ApiKeys.insertNew(ctx, {
    publicationId,
    name,
    scopes: [...scopes],
    keyHash: hashToken(key),
    keySealed: seal(ctx.settings.appSecret, 'api-key', key),
    lastFour: key.slice(-4),
    madeBy: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
  })
  if (!row) {
    throw name === ''
      ? conflict('A new key was created for this publication a moment ago. Look it up before you create another one.')
      : conflict('There is already a key with that name', { fields: { name: 'Another key already has this name' } })
  }
  return { id: row.id, key }
}

/** Replaces a key that is in use with a new one; both work until the old one expires. Call it in a transaction. */
export async function replaceKey(
  ctx: AppContext,
  publication: PublicationRow,
  { id, name, scopes }: Pick<ApiKeyRow, 'id' | 'name' | 'scopes'>,
): Promise<{ id: number; key: string; previousEndsAt: Date }> {
  const endsAt = new Date(ctx.now().getTime() + overlapHours * 3_600_000)
  const changed = await ApiKeys.update(ctx, { id, endsAt: null, revokedAt: null }, { endsAt })
  if (changed === 0) throw conflict('This key was replaced or revoked a moment ago. Look up which keys are in use.')
  const issued = await issueApiKey(ctx, publication, { name, scopes })
  await recordKeyChange(ctx, publication, 'replace-api-key', id)
  return { ...issued, previousEndsAt: endsAt }
}

const noticeOf = {
  'make-api-key': 'made',
  'replace-api-key': 'replaced',
  'revoke-api-key': 'revoked',
} as const satisfies Partial<Record<AuditAction, string>>

/** Records the change in the activity log and emails it to the publisher: the holder of a key can try passwords of its readers. */
export async function recordKeyChange(
  ctx: AppContext,
  { id: publicationId, publisherId }: Pick<PublicationRow, 'id' | 'publisherId'>,
  action: keyof typeof noticeOf,
  keyId: number,
): Promise<void> {
  await recordAudit(ctx, action, { type: 'publication', id: publicationId, publisherId }, { key: keyId })
  const about = { keyId, kind: noticeOf[action], key: randomUUID(), at: ctx.now().toISOString() }
  await enqueueMail(ctx, 'api-key-notice', about, { publisherId })
}
