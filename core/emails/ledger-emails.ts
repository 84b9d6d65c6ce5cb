import { z } from 'zod'
import { monthlyPack } from '../analytics/monthly-pack.query.ts'
import type { AppContext } from '../context.ts'
import { type Currency, formatMoney } from '../kernel/money.ts'
import { formatCount } from '../kernel/text-format.ts'
import { LedgerCloses } from '../ledger/ledger-closes.rows.ts'
import { formatMonth, type Month } from '../ledger/months.rules.ts'
import { mail } from './mail.ts'
import { fromProduct, type MailRow, productFrame } from './mail-frame.rules.ts'

interface PackFacts {
  address: string
  month: Month
  publisher: string
  titles: PackTitle[]
}

interface PackTitle {
  publicationId: number
  name: string
  /** For each currency in which something was sold, earned or is owed; minor units. */
  money: { currency: Currency; sold: number; refunded: number; earned: number; owed: number }[]
  /** How many subscriptions run at the month's end and at its beginning; null where it is not known. */
  circulation: { before: number | null; after: number | null }
}

/** The ledger's emails: in the product's own name, to the addresses that a publisher has named. */
export const ledgerEmails = {
  /** The figures of a closed month, to one of the addresses that were named at the time. */
  'monthly-pack': mail({
    kind: 'notice',
    about: z.object({ closeId: z.number().int(), index: z.number().int() }),
    key: ({ closeId, index }) => `monthly-pack:close:${closeId}:${index}`,
    facts: packFacts,
    recipient: ({ address }) => ({ to: address, ...fromProduct }),
    view({ month, publisher, titles }, _, { appUrl }) {
      const name = formatMonth(month)
      return {
        ...productFrame(appUrl),
        headline: `${name}: the month is closed`,
        meaning: `These are the figures of ${publisher}, as they stood when the month was closed. Later entries for ${name} go to the month that is open then.`,
        titles: titles.map((title) => ({
          name: title.name,
          rows: packRows(title),
          link: `${appUrl}/payments/pack?${new URLSearchParams({ month, publication: String(title.publicationId) })}`,
        })),
      }
    },
    sample: {
      about: { closeId: 7, index: 0 },
      facts: {
        address: 'ann@example.com',
        month: '2026-10',
        publisher: 'Quayside Press',
        titles: [
          {
            publicationId: 3,
            name: "Anglers' Weekly",
            money: [{ currency: 'GBP', sold: 120_000, refunded: 2999, earned: 98_040, owed: 640_020 }],
            circulation: { before: 1204, after: 1231 },
          },
        ],
      },
    },
  }),
}

function packRows({ money, circulation: { before, after } }: PackTitle): MailRow[] {
  const rows = money.flatMap(({ currency, sold, refunded, earned, owed }) => {
    const row = (label: string, amount: number) => ({
      label: `${label}, ${currency}`,
      value: formatMoney({ amount, currency }),
    })
    return [
      row('Sold', sold),
      row('Refunded', refunded),
      row('Net', sold - refunded),
      row('Earned', earned),
      row('Owed to readers at the end of the month', owed),
    ]
  })
  const count = (label: string, readers: number | null) => ({
    label,
    value: readers === null ? 'not known' : formatCount(readers),
  })
  return [
    ...rows,
    count('Circulation at the start of the month', before),
    count('Circulation at the end of the month', after),
  ]
}

/**
 * The figures of all titles of the closed month, including removed ones, so that they add up to its totals. Null if the month has been reopened: its
 * figures are no longer final.
 */
async function packFacts(
  ctx: AppContext,
  { closeId, index }: { closeId: number; index: number },
): Promise<PackFacts | null> {
  const close = await LedgerCloses.find(ctx, { id: closeId, reopenedAt: null })
  const address = close?.packEmails[index]
  if (!close || !address) return null
  const publications = await ctx.db.query<{ id: number; publisher: string }>(
    `SELECT p.id, COALESCE(NULLIF(a.company_name, ''), u.email) AS publisher
     FROM publications p JOIN users u ON u.id = p.publisher_id LEFT JOIN accounts a ON a.user_id = u.id
     WHERE p.publisher_id = :publisherId AND NOT p.is_example
       AND (p.removed_at IS NULL OR EXISTS (SELECT 1 FROM ledger_close_rows r WHERE r.close_id = :closeId AND r.publication_id = p.id))
     ORDER BY LOWER(p.publication_name), p.id`,
    { publisherId: close.publisherId, closeId },
  )
  const titles: PackTitle[] = []
  for (const { id } of publications) titles.push(await titleOf(ctx, id, close.month))
  return { address, month: close.month, publisher: publications[0]?.publisher ?? '', titles }
}

async function titleOf(ctx: AppContext, publicationId: number, month: Month): Promise<PackTitle> {
  const pack = await monthlyPack(ctx, { publicationId, month })
  const money = new Map<Currency, PackTitle['money'][number]>()
  for (const { currency, sold, refunded, earned, closing } of pack.money) {
    const sum = money.get(currency) ?? { currency, sold: 0, refunded: 0, earned: 0, owed: 0 }
    sum.sold += sold
    sum.refunded += refunded
    sum.earned += earned
    sum.owed += closing
    money.set(currency, sum)
  }
  const { counts, change } = pack.circulation
  return {
    publicationId,
    name: pack.publicationName,
    money: [...money.values()],
    circulation: {
      before: change?.products?.reduce((sum, { opening }) => sum + opening, 0) ?? null,
      after: counts?.all.all ?? null,
    },
  }
}
