import { z } from 'zod'
import { asBoolean, asInstant } from '../database.ts'
import type { Currency } from '../kernel/money.ts'
import { useCase } from '../use-case.ts'
import { ownPublication } from './own-publication.ts'

const bandCurrencies: Record<string, Currency> = { UK: 'GBP', US: 'USD', EU: 'EUR' }

export interface PublicationView {
  id: number
  urlKey: string
  publicationName: string
  companyName: string
  issuesPerYear: number
  emailAddress: string
  orderEmailAddress: string
  sellsBackIssues: boolean
  freeProducts: ('digital' | 'print' | 'bundle')[]
  prices: {
    product: string
    termMonths: number
    band: string
    isRecurring: boolean
    amount: number
    currency: Currency
  }[]
  readers: { all: number; active: number; deactivated: number }
  /** Times are ISO 8601 strings. */
  lastImport: { fileName: string; state: string; added: number; failed: number; startedAt: string } | null
  lastMailingFile: { on: string; included: number; madeAt: string } | null
}

/** One publication with what its publisher wants to know first: prices (minor units), readers, the last import and the last mailing file. */
export const getPublication = useCase({
  permission: 'publication:read',
  input: z.object({ urlKey: z.string().trim().min(1, 'Required').max(100, 'Must be 100 characters or fewer') }),
  transaction: 'none',
  async run(ctx, { urlKey }): Promise<PublicationView> {
    const publication = await ownPublication(ctx, { urlKey })
    const values = { id: publication.id }
    const [accounts, prices, counts, uploads, mailingFiles] = await Promise.all([
      ctx.db.query<{ company_name: string }>(`SELECT company_name FROM accounts WHERE user_id = :publisherId`, {
        publisherId: publication.publisherId,
      }),
      ctx.db.query<{ product: string; term_months: number; band: string; is_recurring: unknown; amount: number }>(
        `SELECT product, term_months, band, is_recurring, amount FROM publication_prices WHERE publication_id = :id
         ORDER BY CASE product WHEN 'digital' THEN 1 WHEN 'print' THEN 2 ELSE 3 END, term_months,
                  CASE band WHEN 'UK' THEN 1 WHEN 'US' THEN 2 ELSE 3 END, is_recurring`,
        values,
      ),
      ctx.db.query<{ all_readers: number; active: number }>(
        `SELECT COUNT(*) AS all_readers, COALESCE(SUM(CASE WHEN is_deleted THEN 0 ELSE 1 END), 0) AS active
         FROM readers WHERE publication_id = :id`,
        values,
      ),
      ctx.db.query<{ file_name: string; state: string; added: number; failed: number; started_at: Date | string }>(
        `SELECT u.file_name, u.added, u.failed, u.started_at,
           CASE WHEN EXISTS (SELECT 1 FROM tasks x WHERE x.undo_of = t.id AND x.state = 'done') THEN 'undone' ELSE t.state END AS state
         FROM uploads u JOIN tasks t ON t.kind = 'import-readers' AND t.subject_id = u.id
         WHERE u.publication_id = :id AND u.draft IS NULL ORDER BY t.id DESC LIMIT 1`,
        values,
      ),
      ctx.db.query<{ mailing_on: string; included: number; made_at: Date | string }>(
        `SELECT mailing_on, included, made_at FROM mailing_files WHERE publication_id = :id ORDER BY id DESC LIMIT 1`,
        values,
      ),
    ])
    const [upload] = uploads
    const [mailingFile] = mailingFiles
    const all = Number(counts[0]?.all_readers ?? 0)
    const active = Number(counts[0]?.active ?? 0)
    return {
      id: publication.id,
      urlKey: publication.urlKey,
      publicationName: publication.publicationName,
      companyName: accounts[0]?.company_name ?? '',
      issuesPerYear: publication.issuesPerYear,
      emailAddress: publication.emailAddress,
      orderEmailAddress: publication.orderEmailAddress,
      sellsBackIssues: publication.sellsBackIssues,
      freeProducts: [
        ...(publication.digitalIsFree ? (['digital'] as const) : []),
        ...(publication.printIsFree ? (['print'] as const) : []),
        ...(publication.bundleIsFree ? (['bundle'] as const) : []),
      ],
      prices: prices.map((price) => ({
        product: price.product,
        termMonths: price.term_months,
        band: price.band,
        isRecurring: asBoolean(price.is_recurring),
        amount: Number(price.amount),
        currency: bandCurrencies[price.band] ?? 'GBP',
      })),
      readers: { all, active, deactivated: all - active },
      lastImport: upload
        ? {
            fileName: upload.file_name,
            state: upload.state,
            added: Number(upload.added),
            failed: Number(upload.failed),
            startedAt: asInstant(upload.started_at).toISOString(),
          }
        : null,
      lastMailingFile: mailingFile
        ? {
            on: mailingFile.mailing_on,
            included: Number(mailingFile.included),
            madeAt: asInstant(mailingFile.made_at).toISOString(),
          }
        : null,
    }
  },
})
