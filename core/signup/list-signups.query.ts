import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import { notFound } from '../kernel/errors.ts'
import { type Currency, formatMoney, type Money } from '../kernel/money.ts'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { planByKey } from '../pricing/publisher-plans.rules.ts'
import { useCase } from '../use-case.ts'
import { signupId } from './signup.input.ts'
import { registrableDays, type SignupStatus, signupStatus } from './signup-status.rules.ts'
import { Signups } from './signups.rows.ts'

/** A paid sign-up that must be, or was, settled manually. */
export interface PaidSignup {
  id: number
  companyName: string
  name: string
  email: string
  planName: string
  money: Money
  startedAt: Date
  paidAt: Date
  paymentReference: string
  refundReference: string
  /** Null if it is settled. */
  status: SignupStatus | null
  settled: { how: 'registered' | 'refunded' | 'closed'; at: Date; by: string; note: string } | null
  /** Initial values for the form that registers it. */
  values: { firstName: string; lastName: string; email: string; companyName: string; country: string }
}

/** How long a sign-up that was settled manually is shown, in days. */
const maxAgeDays = 90

const views = {
  open: `s.state IN ('paid-unregistered', 'refund-due', 'refunding') OR (s.state IN ('started', 'expired') AND s.paid_at IS NOT NULL)`,
  settled: `s.state IN ('registered', 'refunded', 'closed') AND s.settled_at >= :since`,
}

/** Paid sign-ups without a publisher, longest waiting first; or those that were settled manually in the last months, newest first. */
export const listSignups = useCase({
  permission: 'sign-up:settle',
  input: PageInput.extend({ show: z.enum(['open', 'settled']).catch('open').default('open') }),
  transaction: 'none',
  async run(ctx, { show, ...input }): Promise<Page<PaidSignup> & { show: keyof typeof views }> {
    const values: Record<string, Date> =
      show === 'open' ? {} : { since: new Date(ctx.now().getTime() - maxAgeDays * 86_400_000) }
    const [{ total } = { total: 0 }] = await ctx.db.query<{ total: number }>(
      `SELECT COUNT(*) AS total FROM signups s WHERE ${views[show]}`,
      values,
    )
    const rows = await paidSignups(
      ctx,
      `${views[show]} ORDER BY ${show === 'open' ? 's.paid_at, s.id' : 's.settled_at DESC, s.id DESC'} LIMIT :limit OFFSET :offset`,
      { ...values, limit: input.size, offset: (input.page - 1) * input.size },
    )
    return { ...pageOf(rows, Number(total), input), show }
  },
})

/** One of the sign-ups that `listSignups` lists. */
export const getSignup = useCase({
  permission: 'sign-up:settle',
  input: z.object({ id: signupId }),
  transaction: 'none',
  async run(ctx, { id }): Promise<PaidSignup> {
    const [signup] = await paidSignups(ctx, `s.id = :id`, { id })
    if (!signup?.status && !signup?.settled) throw notFound('The sign-up')
    return signup
  },
})

const columns = Signups.pick(
  'id',
  'state',
  'answers',
  'problem',
  'paymentIntent',
  'paidAt',
  'paidAmount',
  'paidCurrency',
  'refundReference',
  'refundProblem',
  'settledAt',
  'settledNote',
  'createdAt',
  'updatedAt',
)

async function paidSignups(
  ctx: AppContext,
  where: string,
  values: Record<string, Date | number>,
): Promise<PaidSignup[]> {
  const rows = await columns.rows<{ byFirst: string | null; byLast: string | null; accountCompany: string | null }>(
    ctx,
    `SELECT ${columns.columns('s')}, u.first_name AS "byFirst", u.last_name AS "byLast", a.company_name AS "accountCompany"
     FROM signups s LEFT JOIN users u ON u.id = s.settled_by LEFT JOIN accounts a ON a.user_id = s.user_id WHERE ${where}`,
    values,
  )
  return rows.map(({ answers, state, problem, ...row }) => {
    const { person, email } = answers
    const paidAt = row.paidAt ?? row.updatedAt
    const price: Money = { amount: answers.amount, currency: 'GBP' }
    // What was really paid: it may differ from the price, even in its currency.
    const money = { amount: row.paidAmount ?? price.amount, currency: (row.paidCurrency ?? 'GBP') as Currency }
    const [firstName = '', ...lastNames] = answers.name.split(' ')
    const companyName = person?.companyName ?? row.accountCompany ?? ''
    return {
      id: row.id,
      companyName,
      name: answers.name,
      email,
      money,
      paidAt,
      planName: planByKey(answers.planKey)?.name ?? answers.planKey,
      startedAt: row.createdAt,
      paymentReference: row.paymentIntent ?? '',
      refundReference: row.refundReference ?? '',
      status: signupStatus({
        state,
        problem,
        isPaid: row.paidAt !== null,
        refundProblem: row.refundProblem,
        wanted: formatMoney(price),
        paid: formatMoney(money),
        until: addDays(dayOf(paidAt, ctx.settings.timeZone), registrableDays - 1),
      }),
      settled:
        row.settledAt && (state === 'registered' || state === 'refunded' || state === 'closed')
          ? {
              how: state,
              at: row.settledAt,
              by: `${row.byFirst ?? ''} ${row.byLast ?? ''}`.trim(),
              note: row.settledNote ?? '',
            }
          : null,
      values: {
        email,
        companyName,
        firstName: person?.firstName ?? firstName,
        lastName: person?.lastName ?? lastNames.join(' '),
        country: person?.country ?? (answers.priceType === 'VAT' ? 'GB' : ''),
      },
    }
  })
}
