import { z } from 'zod'
import { issuesOnSale } from '../back-issues/issues-on-sale.query.ts'
import type { AppContext } from '../context.ts'
import { asBoolean, asNullableInstant, type SqlValues } from '../database.ts'
import { AppError, notFound } from '../kernel/errors.ts'
import type { Currency } from '../kernel/money.ts'
import { type PaidProvider, paidProviders } from '../payment-methods/payment-methods.rules.ts'
import { billingStatusOf } from '../plans/own-plan.ts'
import { sellsSubscriptions } from '../plans/plan-billing-status.rules.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import type { Band } from '../pricing/region.rules.ts'
import { themeOf } from '../pricing/theme.rules.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import type { PlanState } from '../users/accounts.rows.ts'
import { closedMessage, questionKeys, type Storefront } from './storefront.rules.ts'

type Row = Record<string, string> & { id: number; publisher_id: number }

/**
 * A publication's storefront by its handle, in any case. A removed or unknown one is not found; one whose publisher is deactivated is
 * `gone`. With `includeClosed` it is returned all the same: for its page, which says that it is closed, and for orders in progress.
 * `includeRemoved` is for the page of an order, which its buyer can always open.
 */
export const getStorefront = useCase({
  permission: 'public',
  input: z.object({
    urlKey: z.string().trim().min(1).max(100),
    includeClosed: z.boolean().default(false),
    includeRemoved: z.boolean().default(false),
  }),
  transaction: 'none',
  async run(ctx, input): Promise<Storefront> {
    const visibleSql = `NOT p.is_example${input.includeRemoved ? '' : ' AND p.removed_at IS NULL'}`
    const storefront = await storefrontWhere(ctx, `p.url_key_lower = :key AND ${visibleSql}`, {
      key: input.urlKey.toLowerCase(),
    })
    if (storefront.isClosed && !input.includeClosed) throw new AppError('gone', closedMessage)
    return storefront
  },
})

/**
 * A storefront as its own publisher previews it: also an example's, and one without payment keys yet. A test
 * purchase in it is paid with the cards of the demo bank.
 */
export const previewStorefront = useCase({
  permission: 'publication:read',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<Storefront & { isExample: boolean }> {
    const { id, isExample } = await ownPublication(ctx, { id: publicationId })
    const storefront = await storefrontWhere(ctx, 'p.id = :id AND p.removed_at IS NULL', { id })
    return {
      ...storefront,
      accepts: ['demo'],
      stripePublishableKey: '',
      takesNewSubscriptions: storefront.takesNewSubscriptions || isExample,
      isExample,
    }
  },
})

async function storefrontWhere(ctx: AppContext, condition: string, values: SqlValues): Promise<Storefront> {
  const [row] = await ctx.db.query<Row>(
    `SELECT p.*, a.company_name, a.telephone, a.email_address AS account_email, a.address_one, a.address_two, a.address_three,
            a.address_four, a.post_zip, a.country, a.main_currency, a.sell_overseas, a.takes_demo_payments, u.is_active,
            a.plan_state, a.plan_unpaid_since, a.plan_period_ends_at,
            a.stripe_publishable_key, a.stripe_secret_key IS NOT NULL AS has_stripe, a.direct_debit_option, a.direct_debit_chargeable_name,
            a.paypal_client_id, a.paypal_secret IS NOT NULL AS has_paypal, a.secure_trading_reference,
            a.secure_trading_password IS NOT NULL AS has_secure_trading
     FROM publications p JOIN users u ON u.id = p.publisher_id LEFT JOIN accounts a ON a.user_id = p.publisher_id
     WHERE ${condition}`,
    values,
  )
  if (!row) throw notFound('This publication', 'Check the address you were given.')
  const prices = await ctx.db.query<{
    product: Product
    term_months: 1
    band: Band
    is_recurring: unknown
    amount: number
  }>(
    `SELECT product, term_months, band, is_recurring, amount FROM publication_prices WHERE publication_id = :id ORDER BY id`,
    { id: row.id },
  )
  const isPaused = row.paused_at != null
  const sellsBackIssues = asBoolean(row.sells_back_issues) && !isPaused
  const free = { digital: row.digital_is_free, print: row.print_is_free, bundle: row.bundle_is_free }
  return {
    id: row.id,
    urlKey: text(row.url_key),
    publicationName: text(row.publication_name),
    publicationInfo: text(row.publication_info),
    logoImage: row.logo_image ?? null,
    coverImage: row.cover_image ?? null,
    sampleEdition: safeLink(row.sample_edition),
    webAddress: safeLink(row.web_address),
    emailAddress: text(row.email_address),
    theme: themeOf(text(row.color)),
    issuesPerYear: Number(row.issues_per_year),
    prices: prices.map((price) => ({
      product: price.product,
      termMonths: price.term_months,
      band: price.band,
      isRecurring: asBoolean(price.is_recurring),
      amount: price.amount,
    })),
    freeProducts: (Object.keys(free) as Product[]).filter((product) => asBoolean(free[product])),
    questions: questionKeys.flatMap((key) => {
      const question = text(row[`question_${key.toLowerCase()}`]).trim()
      return question
        ? [{ key, text: question, kind: key === 'A' || key === 'B' ? ('yesNo' as const) : ('text' as const) }]
        : []
    }),
    sellsBackIssues,
    backIssues: sellsBackIssues ? await issuesOnSale(ctx, row.id) : [],
    links: {
      ios: safeLink(row.ios_app_link),
      android: safeLink(row.android_app_link),
      kindle: safeLink(row.kindle_app_link),
      digitalEdition: safeLink(row.digital_edition_link),
      facebook: safeLink(row.facebook),
      twitter: safeLink(row.twitter),
      instagram: safeLink(row.instagram),
      youtube: safeLink(row.youtube),
    },
    publisher: {
      id: row.publisher_id,
      companyName: text(row.company_name),
      telephone: text(row.telephone),
      emailAddress: text(row.account_email) || text(row.email_address),
      addressLines: [row.address_one, row.address_two, row.address_three, row.address_four, row.post_zip]
        .map(text)
        .filter(Boolean),
      country: text(row.country) || 'GB',
      mainCurrency: (text(row.main_currency) || 'GBP') as Currency,
      sellsOverseas: asBoolean(row.sell_overseas),
    },
    accepts: paidProviders.filter((provider) => isSetUp[provider](row) && ctx.payments[provider] !== undefined),
    stripePublishableKey: text(row.stripe_publishable_key),
    statementName: text(row.direct_debit_chargeable_name) || text(row.company_name),
    findsAddresses: ctx.postcodes !== null,
    takesNewSubscriptions: !isPaused && sellsSubscriptions(billingStatusOf(ctx, planOf(row))),
    isClosed: !asBoolean(row.is_active) || row.removed_at != null,
  }
}

/** The part of the plan provider's last report that selling depends on. */
function planOf(row: Record<string, unknown>): Parameters<typeof billingStatusOf>[1] {
  return {
    planState: (row.plan_state ?? null) as PlanState | null,
    planUnpaidSince: asNullableInstant(row.plan_unpaid_since as Date | string | null),
    planPeriodEndsAt: asNullableInstant(row.plan_period_ends_at as Date | string | null),
  }
}

/** Whether the account holds what each provider needs. A direct debit needs an option to be selected too (spec 1, section 4.4). */
const isSetUp: Record<PaidProvider, (account: Row) => boolean> = {
  'stripe-card': (account) => asBoolean(account.has_stripe) && text(account.stripe_publishable_key) !== '',
  'stripe-bacs': (account) => isSetUp['stripe-card'](account) && text(account.direct_debit_option) !== '',
  paypal: (account) => asBoolean(account.has_paypal) && text(account.paypal_client_id) !== '',
  'secure-trading': (account) => asBoolean(account.has_secure_trading) && text(account.secure_trading_reference) !== '',
  demo: (account) => asBoolean(account.takes_demo_payments),
}

function text(value: string | null | undefined): string {
  return value ?? ''
}

/** Publishers type these links: only web addresses are returned, never a script. */
function safeLink(value: string | null | undefined): string {
  const link = text(value).trim()
  return /^https?:\/\//i.test(link) ? link : ''
}
