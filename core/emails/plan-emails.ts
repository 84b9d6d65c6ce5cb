import { z } from 'zod'
import { addDays, dayOf } from '../kernel/calendar.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { formatMoney } from '../kernel/money.ts'
import { daysOfSalesAfterFailure } from '../plans/plan-billing-status.rules.ts'
import { planByKey } from '../pricing/publisher-plans.rules.ts'
import { type AccountRow, Accounts } from '../users/accounts.rows.ts'
import { Users } from '../users/users.rows.ts'
import { mail } from './mail.ts'
import { fromProduct, productFrame } from './mail-frame.rules.ts'
import { greeting } from './mail-translator.ts'

const planNotices = ['unpaid', 'reminder', 'stopped', 'paid', 'cancelled', 'resumed', 'ended'] as const
type PlanNoticeKind = (typeof planNotices)[number]

interface Facts {
  name: string
  email: string
  planName: string
  unpaidSince: Day | null
  endsOn: Day | null
  nextAmount: number | null
  cardLastFour: string | null
}

const notAffected =
  'Your readers are not affected: renewals are still charged, mailing files and exports can still be made, and all your data is kept.'

interface NoticeTexts {
  headline: string
  meaning: string[]
  link: { label: string; path: string }
}

const payLink = { label: 'Change the card or pay', path: '/account/plan' }
const planLink = { label: 'See your plan', path: '/account/plan' }

/** The texts of each notice. A notice without texts here does not compile. */
const noticeTexts: Record<PlanNoticeKind, (facts: Facts) => NoticeTexts> = {
  unpaid: ({ unpaidSince, cardLastFour }) => ({
    headline: 'Your plan could not be charged',
    meaning: [
      `${cardLastFour ? `The card ending in ${cardLastFour}` : 'Your card'} was declined. Enter another card, or try the same one again.`,
      `${notAffected} If the plan is not paid by ${stopDay(unpaidSince)}, your storefronts stop taking new subscriptions until it is.`,
    ],
    link: payLink,
  }),
  reminder: ({ unpaidSince }) => ({
    headline: 'Your plan is still unpaid',
    meaning: [
      `From ${stopDay(unpaidSince)} your storefronts take no new subscriptions until the plan is paid.`,
      notAffected,
    ],
    link: payLink,
  }),
  stopped: () => ({
    headline: 'Your storefronts take no new subscriptions',
    meaning: [
      `The plan has been unpaid for ${daysOfSalesAfterFailure} days. As soon as it is paid, your storefronts take new subscriptions again.`,
      notAffected,
    ],
    link: payLink,
  }),
  paid: () => ({
    headline: 'Your plan is paid again',
    meaning: ['Thank you. Your storefronts take new subscriptions.'],
    link: planLink,
  }),
  cancelled: ({ unpaidSince, endsOn }) => ({
    headline: 'Your plan is cancelled',
    meaning: [
      `${unpaidSince ? `It ends on ${dayText(endsOn)}. The amount due is still to be paid.` : `Everything works until ${dayText(endsOn)}.`} From then on your storefronts take no new subscriptions; running subscriptions continue, and your data is kept.`,
      'You can download your readers and orders at any time, and resume the plan with one click until that day.',
    ],
    link: planLink,
  }),
  resumed: ({ nextAmount, endsOn, unpaidSince }) => ({
    headline: 'Your plan continues',
    meaning: [
      nextAmount === null
        ? 'The cancellation was withdrawn.'
        : `The cancellation was withdrawn. The next charge is ${formatMoney({ amount: nextAmount, currency: 'GBP' })} on ${dayText(endsOn)}.`,
      ...(unpaidSince ? ['The amount due is still to be paid.'] : []),
    ],
    link: planLink,
  }),
  ended: ({ endsOn }) => ({
    headline: 'Your plan has ended',
    meaning: [
      `It ended on ${dayText(endsOn)}. Your storefronts take no new subscriptions. ${notAffected}`,
      'To come back, choose a plan: everything is still there.',
    ],
    link: { label: 'Choose a plan', path: '/account/plan/start' },
  }),
}

const isUnpaid = ({ planState }: AccountRow) => planState === 'past-due'

/** Whether what a notice says is still true: the plan may have been paid, or another begun, before the email was written. */
const isCurrent: Record<PlanNoticeKind, (account: AccountRow) => boolean> = {
  unpaid: isUnpaid,
  reminder: isUnpaid,
  stopped: isUnpaid,
  paid: ({ planState }) => planState === 'active',
  cancelled: ({ planState, planCancelsAtEnd }) => planState !== 'ended' && planCancelsAtEnd,
  resumed: ({ planState, planCancelsAtEnd }) => planState !== 'ended' && !planCancelsAtEnd,
  ended: ({ planState }) => planState === 'ended',
}

const dayText = (day: Day | null) => (day ? formatDay(day) : 'the end of the month')
const stopDay = (since: Day | null) => dayText(since && addDays(since, daysOfSalesAfterFailure))

/** The product's emails to a publisher about the plan. */
export const planEmails = {
  'plan-notice': mail({
    kind: 'notice',
    // `key` identifies the occasion: the day from which the plan is unpaid, the moment of a cancellation.
    about: z.object({ userId: z.number().int(), kind: z.enum(planNotices), key: z.string() }),
    key: ({ userId, kind, key }) => `plan-notice:${userId}:${kind}:${key}`,
    async facts(ctx, { userId, kind }): Promise<Facts | null> {
      const [user, account] = await Promise.all([Users.find(ctx, { id: userId }), Accounts.find(ctx, { userId })])
      if (!user || !account) return null
      // Null if it is no longer true when the email is written.
      if (!isCurrent[kind](account)) return null
      const on = (moment: Date | null) => moment && dayOf(moment, ctx.settings.timeZone)
      return {
        name: `${user.firstName} ${user.lastName}`.trim(),
        email: user.email,
        planName: planByKey(account.planKey ?? '')?.name ?? '',
        unpaidSince: on(account.planUnpaidSince),
        endsOn: on(account.planPeriodEndsAt),
        nextAmount: account.planNextAmount,
        cardLastFour: account.planCardLastFour,
      }
    },
    recipient: ({ email }) => ({ to: email, ...fromProduct }),
    view(facts, { kind }, { appUrl }, t) {
      const { headline, meaning, link } = noticeTexts[kind](facts)
      return {
        ...productFrame(appUrl),
        greeting: greeting(t, facts.name),
        // Also the subject.
        headline,
        meaning,
        planName: facts.planName,
        link: { label: link.label, url: `${appUrl}${link.path}` },
      }
    },
    sample: {
      about: { userId: 12, kind: 'unpaid', key: '2026-11-21' },
      facts: {
        name: "Ann O'Brien",
        email: 'ann@example.com',
        planName: 'Standard, 3 titles',
        unpaidSince: '2026-11-21',
        endsOn: '2026-12-21',
        nextAmount: 16_200,
        cardLastFour: '4242',
      },
    },
  }),
}
