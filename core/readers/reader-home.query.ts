import { z } from 'zod'
import { asInstant } from '../database.ts'
import type { Day } from '../kernel/dates.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { readersTotals } from './readers-total.ts'

export interface ReaderHomeItem {
  id: number
  publicationName: string
  urlKey: string
  coverImage: string | null
  readers: number
  /** Size in bytes. */
  lastMailingFile: { on: Day; included: number; bytes: number; madeAt: Date } | null
}

/** The publications whose readers the actor works with, by name, each with its reader count and the last mailing file made. */
export const readerHome = useCase({
  permission: 'publication:list',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<ReaderHomeItem[]> {
    const { publisherId } = tenantOf(ctx)
    const rows = await ctx.db.query<{
      id: number
      publication_name: string
      url_key: string
      cover_image: string | null
      mailing_on: Day | null
      included: number | null
      bytes: number | null
      made_at: Date | string | null
    }>(
      `SELECT p.id, p.publication_name, p.url_key, p.cover_image, m.mailing_on, m.included, m.bytes, m.made_at
       FROM publications p
       LEFT JOIN mailing_files m ON m.id = (SELECT MAX(id) FROM mailing_files WHERE publication_id = p.id)
       WHERE p.removed_at IS NULL ${publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId'}
       ORDER BY LOWER(p.publication_name), p.id`,
      { publisherId: publisherId ?? null },
    )
    const totals = await readersTotals(
      ctx,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => ({
      id: row.id,
      publicationName: row.publication_name,
      urlKey: row.url_key,
      coverImage: row.cover_image,
      readers: totals.get(row.id) ?? 0,
      lastMailingFile:
        row.mailing_on === null || row.made_at === null
          ? null
          : {
              on: row.mailing_on,
              included: Number(row.included),
              bytes: Number(row.bytes),
              madeAt: asInstant(row.made_at),
            },
    }))
  },
})
