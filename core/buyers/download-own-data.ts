import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { asInstant, asJson, nonEmptyIds, type SqlValues } from '../database.ts'
import { dayOf } from '../kernel/calendar.ts'
import { useCase } from '../use-case.ts'
import { type BuyerRow, buyerSubject, ownBuyer } from './live-buyer.ts'
import { ownDataParts } from './own-data-parts.ts'
import { ownReaders } from './own-readers.query.ts'

const batchSize = 200

/** Everything that is stored about the logged-in buyer at this publication, as a JSON stream. */
export const downloadOwnData = useCase({
  permission: 'buyer',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ fileName: string; chunks: AsyncIterable<string> }> {
    const buyer = await ownBuyer(ctx)
    const [publication] = await ctx.db.query<{ publication_name: string }>(
      `SELECT publication_name FROM publications WHERE id = :id`,
      { id: buyer.publicationId },
    )
    const name = publication?.publication_name ?? ''
    // A gift's record has the address and opt-outs of another person.
    const readers = await ownReaders(ctx, buyer)
    const idsOf = (isGift: boolean) => readers.filter((reader) => reader.isGift === isGift).map(({ id }) => id)
    const values = {
      buyerId: buyer.id,
      publicationId: buyer.publicationId,
      readerIds: nonEmptyIds(idsOf(false)),
      giftIds: nonEmptyIds(idsOf(true)),
      // Anybody can enter an address: what went there otherwise is shown only to somebody who has proven to read it.
      emailKey: buyer.emailProvenAt === null ? null : buyer.emailKey,
    }
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    return { fileName: `${name} - my data ${today}.json`, chunks: jsonChunks(ctx, name, values, buyer) }
  },
})

async function* jsonChunks(
  ctx: AppContext,
  publication: string,
  values: SqlValues,
  buyer: BuyerRow,
): AsyncIterable<string> {
  // Recorded when the download begins, so that a HEAD request leaves no audit row.
  await recordAudit(ctx, 'download-own-data', buyerSubject(buyer))
  const about =
    'Amounts are in the smallest unit of their currency. Under consents, true means that the offers are not wanted.'
  yield `{\n  "publication": ${JSON.stringify(publication)},\n  "writtenAt": ${JSON.stringify(ctx.now())},\n  "about": ${JSON.stringify(about)}`
  for (const { name, sql } of ownDataParts) {
    yield `,\n  ${JSON.stringify(name)}: [`
    let isFirst = true
    for (let offset = 0; ; offset += batchSize) {
      const rows = await ctx.db.query(`${sql} LIMIT :limit OFFSET :offset`, { ...values, limit: batchSize, offset })
      for (const row of rows) {
        yield `${isFirst ? '' : ','}\n    ${JSON.stringify(normalisedRow(row as Record<string, unknown>))}`
        isFirst = false
      }
      if (rows.length < batchSize) break
    }
    yield isFirst ? ']' : '\n  ]'
  }
  yield '\n}\n'
}

const flag = /^(is_|pub_offers|partner_offers)/
const moment = /_at$/
const jsonColumns = new Set(['shipping', 'billing', 'gift', 'before', 'facts'])

/** A row in the same form for both databases: flags are true or false, moments ISO 8601, JSON columns parsed. */
function normalisedRow(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (flag.test(column) && typeof value === 'number') return [column, value === 1]
      if (moment.test(column) && typeof value === 'string') return [column, asInstant(value)]
      if (jsonColumns.has(column)) return [column, asJson(value)]
      return [column, value]
    }),
  )
}
