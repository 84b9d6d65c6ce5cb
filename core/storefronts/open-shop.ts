import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { asBoolean } from '../database.ts'
import { AppError, type FieldErrors, invalid, notFound } from '../kernel/errors.ts'
import { closedMessage } from './storefront.rules.ts'

/** The storefront of a call: pages know its handle, programs its id. */
export const shopReference = {
  urlKey: z.string().trim().max(100, 'Must be 100 characters or fewer').optional(),
  publicationId: z.coerce.number('Must be the id of a publication').int('Must be the id of a publication').optional(),
}

/** A missing reference, reported together with the other missing fields. */
export function missingShop(_ctx: AppContext, { urlKey, publicationId }: Record<string, unknown>): FieldErrors {
  return urlKey === undefined && publicationId === undefined ? { publicationId: 'Required' } : {}
}

export interface OpenShop {
  id: number
  publisherId: number
}

/** The storefront's publication. A removed or unknown one is not found; one whose publisher is deactivated is `gone`: log-ins are refused there. */
export async function openShop(
  ctx: Pick<AppContext, 'db'>,
  { urlKey, publicationId }: { urlKey?: string | undefined; publicationId?: number | undefined },
): Promise<OpenShop> {
  if (urlKey === undefined && publicationId === undefined) throw invalid({ publicationId: 'Required' })
  const [row] = await ctx.db.query<{ id: number; publisher_id: number; is_active: unknown }>(
    `SELECT p.id, p.publisher_id, u.is_active FROM publications p JOIN users u ON u.id = p.publisher_id
     WHERE p.removed_at IS NULL AND NOT p.is_example AND ${publicationId === undefined ? 'p.url_key_lower = :key' : 'p.id = :id'}`,
    { key: (urlKey ?? '').toLowerCase(), id: publicationId ?? null },
  )
  if (!row) throw notFound('This publication')
  if (!asBoolean(row.is_active)) throw new AppError('gone', closedMessage)
  return { id: row.id, publisherId: row.publisher_id }
}
