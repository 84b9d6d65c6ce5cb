import { renewalReplacedBy } from '../agreements/renewal-summary.query.ts'
import type { RenewalSummary } from '../agreements/renewal-summary.rules.ts'
import type { AppContext } from '../context.ts'
import { asBoolean, asJson } from '../database.ts'
import { imageFilesOf } from '../images/image.rules.ts'
import type { Day } from '../kernel/dates.ts'
import { notFound } from '../kernel/errors.ts'
import type { Language } from '../kernel/languages.ts'
import type { Currency } from '../kernel/money.ts'
import type { OrderState } from '../kernel/order-state.ts'
import { fullName, type PostalAddress } from '../kernel/postal-address.ts'
import type { Gift } from '../orders/orders.rows.ts'
import { isDelivered, type PlanChoice, type Product, type TermMonths } from '../pricing/plan-code.rules.ts'
import { type DocumentVat, documentVat } from '../vat/document-vat.rules.ts'
import { vatLinesOf } from '../vat/vat-lines.rows.ts'
import { type MailFrame, type MailRow, publisherAddressOf } from './mail-frame.rules.ts'

/** An order with all the data of its emails, read when they are rendered. */
export interface OrderFacts {
  id: number
  publicationId: number
  /** The reader record that the order created or extended; null if there is none, or not yet. */
  readerId: number | null
  state: OrderState
  orderNumber: string
  orderedOn: Day
  /** The name of the ordered product, in English. */
  productName: string
  /** Null for back issues: nothing to read online, always something to post. */
  plan: PlanChoice | null
  /** Amounts are minor units of the order's currency. */
  issues: { volume: string; price: number; postage: number }[]
  startOn: Day | null
  endOn: Day | null
  currency: Currency
  price: number
  discount: number
  promoCode: string
  amount: number
  /** The VAT of its sale; null where it is not set, or none is charged. */
  vat: DocumentVat | null
  isFree: boolean
  name: string
  email: string
  mobile: string
  billing: PostalAddress
  /** The reference or note that staff entered with the order. */
  staffNote: string
  /** The address it is posted to; null where nothing is posted. */
  delivery: PostalAddress | null
  readerReference: string
  answers: MailRow[]
  /** Issues that were paid for when no copy was left. */
  oversold: string[]
  frame: MailFrame
  texts: { opening: string; ending: string }
  /** Null for the buyer's own subscription. */
  gift: (Gift & { name: string }) | null
  /** The buyer's own automatic renewal that the order ended; null if there was none. */
  replaced: RenewalSummary | null
  /** Null if it was not paid by direct debit. */
  debit: { chargedOn: Day | null; lastFour: string; mandate: string; statementName: string } | null
  /** The buyer's account has no password yet: a buyer who pays with a wallet or by a renewal link need not choose one. */
  lacksPassword: boolean
  orderEmailAddress: string
  ccEmail: string
  links: { digitalEdition: string; ios: string; android: string; kindle: string }
  /** The language it was ordered in; null where that was not stored. */
  language: Language | null
  country: string
}

type Row = Record<string, string | null> & {
  id: number
  publication_id: number
  reader_id: number | null
  product_price: number
  discount: number
  amount: number
  term_months: TermMonths | null
}

/** The email data of one order; throws `notFound` when there is none with this id. */
export async function orderFacts(ctx: AppContext, orderId: number): Promise<OrderFacts> {
  const [row] = await ctx.db.query<Row>(
    `SELECT o.*, p.publication_name, p.url_key, p.color, p.logo_image, p.email_address AS publication_email, p.order_email_address, p.cc_email,
            p.email_text, p.email_end, p.question_a, p.question_b, p.question_c, p.question_d, p.question_e,
            p.digital_edition_link, p.ios_app_link, p.android_app_link, p.kindle_app_link,
            a.company_name, a.telephone, a.email_address AS account_email, a.address_one, a.address_two, a.address_three, a.address_four, a.post_zip,
            y.provider, y.charged_on, y.account_last_four, y.mandate_reference, a.direct_debit_chargeable_name,
            b.id AS buyer, b.password_hash IS NULL AS lacks_password, r.unique_reference, r.answer_a, r.answer_b, r.answer_c, r.answer_d, r.answer_e
     FROM orders o JOIN publications p ON p.id = o.publication_id LEFT JOIN accounts a ON a.user_id = o.publisher_id
     LEFT JOIN readers r ON r.id = o.reader_id LEFT JOIN payments y ON y.order_id = o.id LEFT JOIN buyers b ON b.id = o.buyer_id
     WHERE o.id = :orderId`,
    { orderId },
  )
  if (!row) throw notFound('The order')
  const text = (name: string) => row[name] ?? ''
  const product = row.product as Product | null
  const items = await issuesOf(ctx, orderId)
  const address = asJson<PostalAddress>(row.shipping ?? row.billing)
  const logo = imageFilesOf(row.logo_image, 'logo')
  return {
    id: row.id,
    publicationId: row.publication_id,
    readerId: row.reader_id,
    state: text('state') as OrderState,
    orderNumber: text('order_number'),
    orderedOn: text('ordered_on'),
    productName: text('product_name'),
    plan: product && { product, termMonths: row.term_months, isRecurring: asBoolean(row.is_recurring) },
    issues: items.map(({ description, unit_price, postage }) => ({ volume: description, price: unit_price, postage })),
    startOn: row.sub_start_on ?? null,
    endOn: row.sub_end_on ?? null,
    currency: text('currency') as Currency,
    price: row.product_price,
    discount: row.discount,
    promoCode: text('promo_code'),
    amount: row.amount,
    vat: documentVat((await vatLinesOf(ctx, orderId)).filter(({ kind }) => kind === 'sale')),
    isFree: text('payment_type') === 'Free',
    name: [text('title'), text('first_name'), text('last_name')].filter(Boolean).join(' '),
    email: text('email'),
    mobile: text('mobile'),
    billing: asJson<PostalAddress>(row.billing),
    staffNote: text('staff_note'),
    delivery: !product || isDelivered(product) ? address : null,
    readerReference: text('unique_reference'),
    answers: ['a', 'b', 'c', 'd', 'e']
      .map((key) => ({ label: text(`question_${key}`), value: text(`answer_${key}`) }))
      .filter(({ label, value }) => label !== '' && value !== ''),
    oversold: items.filter(({ copy_state }) => copy_state === 'oversold').map(({ description }) => description),
    frame: {
      publicationName: text('publication_name'),
      publisherName: text('company_name') || text('publication_name'),
      publisherAddress: publisherAddressOf(text),
      contactEmail: text('publication_email') || text('account_email'),
      telephone: text('telephone'),
      logoUrl: logo ? `${ctx.settings.appUrl}${logo.src}` : '',
      storefrontUrl: `${ctx.settings.appUrl}/${text('url_key')}`,
      color: /^#[0-9a-f]{6}$/i.test(text('color')) ? text('color') : '#1F2933',
    },
    texts: { opening: text('email_text'), ending: text('email_end') },
    gift: asBoolean(row.is_gift)
      ? { ...(asJson<Gift | null>(row.gift) ?? { email: '', message: '' }), name: fullName(address) }
      : null,
    replaced: asBoolean(row.is_recurring) ? await renewalReplacedBy(ctx, orderId) : null,
    debit:
      row.provider === 'stripe-bacs'
        ? {
            chargedOn: row.charged_on ?? null,
            lastFour: text('account_last_four'),
            mandate: text('mandate_reference'),
            statementName: text('direct_debit_chargeable_name') || text('company_name'),
          }
        : null,
    lacksPassword: row.buyer !== null && asBoolean(row.lacks_password),
    orderEmailAddress: text('order_email_address'),
    ccEmail: text('cc_email'),
    links: {
      digitalEdition: text('digital_edition_link'),
      ios: text('ios_app_link'),
      android: text('android_app_link'),
      kindle: text('kindle_app_link'),
    },
    language: row.language as Language | null,
    country: text('country'),
  }
}

async function issuesOf(ctx: AppContext, orderId: number) {
  return ctx.db.query<{ description: string; unit_price: number; postage: number; copy_state: string | null }>(
    `SELECT description, unit_price, postage, copy_state FROM order_items
     WHERE order_id = :orderId AND kind = 'back-issue' ORDER BY id`,
    { orderId },
  )
}
