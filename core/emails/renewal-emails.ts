import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { asBoolean, asJson } from '../database.ts'
import type { Day } from '../kernel/dates.ts'
import type { Language } from '../kernel/languages.ts'
import type { Currency } from '../kernel/money.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import { type Product, planPhrase, type TermMonths } from '../pricing/plan-code.rules.ts'
import { framePlaceholders } from './frame-placeholders.rules.ts'
import { mail } from './mail.ts'
import { fromPublication, type MailFrame, nonEmptyRows, sampleFrame } from './mail-frame.rules.ts'
import { greeting } from './mail-translator.ts'
import { publicationFrame } from './publication-frame.query.ts'

/** A renewal as its notice describes it; amounts are minor units. */
interface RenewalFacts {
  publicationId: number
  readerId: number | null
  frame: MailFrame
  name: string
  email: string
  lacksPassword: boolean
  language: Language | null
  country: string | null
  product: Product
  termMonths: TermMonths
  amount: number
  /** The price of the last term. */
  oldAmount: number
  currency: Currency
  chargeOn: Day
  /** The last four digits of the card, or of the account. */
  lastFour: string
  /** Null if it is not paid by direct debit. */
  debit: { mandate: string; statementName: string } | null
}

/** The emails to a reader about a subscription that renews. */
export const renewalEmails = {
  /**
   * The notice before the charge that the law, the rules of direct debit or the publisher's own promise require: the amount, the
   * day, the payment method, and how to stop it. It contains no advertising.
   */
  'renewal-notice': mail({
    kind: 'notice',
    about: z.object({ renewalId: z.number().int() }),
    // A renewal is one cycle of one agreement.
    key: ({ renewalId }) => `renewal-notice:${renewalId}`,
    facts: (ctx, { renewalId }) => renewalFacts(ctx, renewalId),
    recipient: ({ email, frame, publicationId, readerId }) =>
      email === '' ? null : { to: email, ...fromPublication(frame), publicationId, readerId },
    reader: ({ language, country }) => ({ language, country }),
    view(facts, _, __, t) {
      const { frame, amount, oldAmount, currency, debit } = facts
      const publication = frame.publicationName
      const accountUrl = `${frame.storefrontUrl}/account`
      const day = t.day(facts.chargeOn)
      const money = (value: number) => t.moneyWithCode({ amount: value, currency })
      const isChanged = amount !== oldAmount
      const { product, termMonths } = facts
      const rows = [
        { label: t('Subscription'), value: t.phrase(planPhrase({ product, termMonths, isRecurring: false })) },
        { label: t('Amount'), value: money(amount) },
        ...(isChanged ? [{ label: t('Previous price'), value: money(oldAmount) }] : []),
        { label: t('Charged on'), value: day },
        { label: debit ? t('Account ending in') : t('Card ending in'), value: facts.lastFour },
        ...(debit
          ? [
              { label: t('Mandate reference'), value: debit.mandate },
              { label: t('Shown on your statement as'), value: debit.statementName },
            ]
          : []),
      ]
      return {
        ...frame,
        subject: t('Your subscription to {publication} renews on {day}', { publication, day }),
        headline: t('Your subscription renews soon'),
        greeting: greeting(t, facts.name),
        opening: [
          t('As agreed, {amount} will be charged on {day} for the next term of your subscription to {publication}.', {
            amount: money(amount),
            day,
            publication,
          }),
          ...(isChanged
            ? [t('The price changes from {old} to {new}.', { old: money(oldAmount), new: money(amount) })]
            : []),
        ],
        rows: nonEmptyRows(rows),
        notes: [
          // The account takes another card, but no other bank account.
          debit
            ? t('To turn automatic renewal off, open your account before that day: {url}', { url: accountUrl })
            : t('To turn automatic renewal off or change how you pay, open your account before that day: {url}', {
                url: accountUrl,
              }),
          t('If you turn it off, nothing is charged, and you get everything you have paid for.'),
          ...(facts.lacksPassword
            ? [
                t('Your account has no password yet. To log in, set one at {url}', {
                  url: `${frame.storefrontUrl}/forgot`,
                }),
              ]
            : []),
          ...(debit
            ? [
                t(
                  'You are protected by the Direct Debit Guarantee: if a mistake is made with this payment, your bank refunds the full amount at once, and you can cancel a direct debit at any time by telling your bank.',
                ),
              ]
            : []),
        ],
        help: t('Something not right? Write to {email}.', { email: frame.contactEmail }),
      }
    },
    custom: {
      title: 'Renewal notice',
      sentWhen: 'Before an automatic renewal is charged.',
      placeholders: ({ name, product, termMonths, amount, currency, chargeOn, frame }, t) => ({
        name,
        subscription: t.phrase(planPhrase({ product, termMonths, isRecurring: false })),
        amount: t.money({ amount, currency }),
        'charged on': t.day(chargeOn),
        ...framePlaceholders(frame),
      }),
      sampleOf: (facts, { frame, currency }) => ({ ...facts, frame, currency }),
    },
    sample: {
      about: { renewalId: 12 },
      facts: {
        publicationId: 7,
        readerId: 88,
        frame: sampleFrame,
        name: "Mrs Ann O'Brien",
        email: 'ann@example.com',
        lacksPassword: true,
        language: null,
        country: 'GB',
        product: 'print',
        termMonths: 12,
        amount: 2999,
        oldAmount: 2500,
        currency: 'GBP',
        chargeOn: '2027-11-21',
        lastFour: '4321',
        debit: { mandate: 'HLQ7XK2M', statementName: 'QUAYSIDE PRESS' },
      },
    },
  }),
}

type Row = Omit<RenewalFacts, 'frame' | 'name' | 'debit' | 'country' | 'lacksPassword'> & {
  title: string
  firstName: string
  lastName: string
  lacksPassword: unknown
  shipping: PostalAddress | string | null
  readerCountry: string | null
  provider: string
  mandate: string
  statementName: string
}

/** Null once the renewal was charged, or is no longer to be charged: then there is nothing to announce. */
async function renewalFacts(ctx: AppContext, renewalId: number): Promise<RenewalFacts | null> {
  const [row] = await ctx.db.query<Row>(
    `SELECT n.publication_id AS "publicationId", a.reader_id AS "readerId", n.amount, a.price AS "oldAmount", n.currency, n.charge_on AS "chargeOn", a.product,
       a.term_months AS "termMonths", a.provider, COALESCE(a.last_four, '') AS "lastFour", COALESCE(a.mandate_reference, '') AS mandate,
       COALESCE(NULLIF(c.direct_debit_chargeable_name, ''), c.company_name, '') AS "statementName", b.title, b.first_name AS "firstName",
       b.last_name AS "lastName", b.email, b.language, b.shipping, b.password_hash IS NULL AS "lacksPassword", r.country AS "readerCountry"
     FROM renewals n JOIN payment_agreements a ON a.id = n.agreement_id JOIN buyers b ON b.id = a.buyer_id
       LEFT JOIN readers r ON r.id = a.reader_id LEFT JOIN accounts c ON c.user_id = n.publisher_id
     WHERE n.id = :renewalId AND n.state = 'planned' AND a.state = 'active'`,
    { renewalId },
  )
  if (!row) return null
  const { title, firstName, lastName, shipping, readerCountry, provider, mandate, statementName, ...facts } = row
  return {
    ...facts,
    frame: await publicationFrame(ctx, row.publicationId),
    name: [title, firstName, lastName].filter(Boolean).join(' '),
    lacksPassword: asBoolean(row.lacksPassword),
    country: (shipping ? asJson<PostalAddress>(shipping).country : '') || readerCountry || null,
    debit: provider === 'stripe-bacs' ? { mandate, statementName } : null,
  }
}
