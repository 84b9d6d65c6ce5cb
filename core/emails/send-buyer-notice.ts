import { z } from 'zod'
import { liveBuyer } from '../buyers/live-buyer.ts'
import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import { buyerNotices } from '../jobs/catalog.ts'
import { type Day, printDay, printMoment } from '../kernel/dates.ts'
import { type Product, planName, type TermMonths } from '../pricing/plan-code.rules.ts'
import { useCase } from '../use-case.ts'
import type { BuyerNoticeView } from './buyer-notice.email.ts'
import { buyerNoticeWords } from './buyer-notice-words.ts'
import { greeting, type MailRow } from './mail-frame.rules.ts'
import { publicationFrame } from './publication-frame.query.ts'
import { sendOnce } from './send-once.ts'

/** Tells a reader by mail what happened to the account, in the publication's name, and what to do if it was not wanted. */
export const sendBuyerNotice = useCase({
  permission: 'machine:operate',
  input: z.object({
    buyerId: z.number().int(),
    key: z.string(),
    kind: z.enum(buyerNotices),
    agreementId: z.number().int().optional(),
  }),
  transaction: 'none',
  async run(ctx, { buyerId, key, kind, agreementId }): Promise<boolean> {
    const buyer = await liveBuyer(ctx, { id: buyerId })
    if (!buyer) return false
    const frame = await publicationFrame(ctx, buyer.publication_id)
    const { headline, meaning, advice, link } = buyerNoticeWords[kind]
    const agreement = agreementId === undefined ? null : await agreementOf(ctx, agreementId, buyerId)
    const at = agreement?.endedAt ?? ctx.now()
    const view: BuyerNoticeView = {
      ...frame,
      template: 'buyer-notice',
      greeting: greeting([buyer.title, buyer.first_name, buyer.last_name].filter(Boolean).join(' ')),
      headline,
      meaning,
      rows: [
        { label: 'Account', value: buyer.email },
        { label: 'When', value: `${printMoment(at, ctx.settings.timeZone)} (${ctx.settings.timeZone})` },
        ...(agreement?.rows ?? []),
      ],
      advice,
      link: { label: link.label, url: `${frame.storefrontUrl}${link.path}` },
    }
    return sendOnce(ctx, {
      emailKey: `buyer-notice:${buyerId}:${kind}:${key}`,
      publicationId: buyer.publication_id,
      view,
      headers: {
        to: buyer.email,
        fromName: frame.publicationName,
        ...(frame.contactEmail ? { replyTo: frame.contactEmail } : {}),
      },
    })
  },
})

async function agreementOf(
  { db }: AppContext,
  id: number,
  buyerId: number,
): Promise<{ rows: MailRow[]; endedAt: Date | null } | null> {
  const [row] = await db.query<{
    product: Product
    term_months: TermMonths
    renews_on: Day
    ended_at: Date | string | null
  }>(
    `SELECT product, term_months, renews_on, ended_at FROM payment_agreements WHERE id = :id AND buyer_id = :buyerId`,
    {
      id,
      buyerId,
    },
  )
  if (!row) return null
  return {
    endedAt: row.ended_at ? asInstant(row.ended_at) : null,
    rows: [
      {
        label: 'Subscription',
        value: planName({ product: row.product, termMonths: row.term_months, isRecurring: false }),
      },
      { label: 'Runs until', value: printDay(row.renews_on) },
    ],
  }
}
