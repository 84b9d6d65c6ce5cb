import { z } from 'zod'
import { type Revenue, revenue } from '#core/analytics/revenue.query.ts'
import { type StorefrontViews, storefrontViews } from '#core/analytics/storefront-views.query.ts'
import { type SubscriberFigures, subscriberFigures } from '#core/analytics/subscriber-figures.query.ts'
import { subTypes } from '#core/terms/term.rules.ts'
import type { UseCase } from '#core/use-case.ts'
import { type ApiCall, type ApiTable, get } from './api-call.ts'
import { WireAmount, WireCurrency, wireAmount } from './wire-values.ts'

const Count = z.object({ count: z.int() })
const Orders = z.object({ count: z.int(), totals: z.array(z.object({ total: WireAmount, currency: WireCurrency })) })
const Points = z.array(
  z.object({ _id: z.object({ subType: z.enum(subTypes), month: z.int().min(1).max(12) }), count: z.int() }),
)

const subscribers = (summary: string, count: (figures: SubscriberFigures) => number) =>
  figure(summary, { useCase: subscriberFigures, response: Count, toResponse: (figures) => ({ count: count(figures) }) })
const views = (summary: string, part: keyof StorefrontViews) =>
  figure(summary, { useCase: storefrontViews, response: Count, toResponse: (figures) => ({ count: figures[part] }) })
const orders = (summary: string, part: 'recent' | 'overall') =>
  figure(summary, { useCase: revenue, response: Orders, toResponse: (figures) => wireOrders(figures, part) })

const began = 'began in the last 30 days'
const runs = 'run today'
const visitor = 'a visitor counts once a day'

/** The dashboard's figures by the path of their calls, from the same queries as the dashboard. */
const figures: Record<string, (name: string) => ApiCall[]> = {
  newsubscribers: subscribers(`How many subscriptions ${began}`, ({ recent }) => recent.all),
  newsubscribersprint: subscribers(`How many print subscriptions ${began}`, ({ recent }) => recent.print),
  newsubscribersdigital: subscribers(`How many digital subscriptions ${began}`, ({ recent }) => recent.digital),
  newsubscribersbundle: subscribers(`How many bundle subscriptions ${began}`, ({ recent }) => recent.bundle),
  allsubscribers: subscribers(`How many subscriptions ${runs}`, ({ current }) => current.all),
  allsubscribersprint: subscribers(`How many print subscriptions ${runs}`, ({ current }) => current.print),
  allsubscribersdigital: subscribers(`How many digital subscriptions ${runs}`, ({ current }) => current.digital),
  allsubscribersbundle: subscribers(`How many bundle subscriptions ${runs}`, ({ current }) => current.bundle),
  newexpirations: subscribers(
    'How many subscriptions ended in the last 30 days',
    ({ expiredRecently }) => expiredRecently,
  ),
  allexpirations: subscribers('How many subscriptions end in the next 30 days', ({ expiringSoon }) => expiringSoon),
  neworders: orders('How many orders were sold in the last 30 days, and their amount less what was refunded', 'recent'),
  allorders: orders('How many orders were sold, and their amount less what was refunded', 'overall'),
  newpageviews: views('Page views of storefronts in the last 30 days', 'recent'),
  newuniquepageviews: views(`Page views of storefronts in the last 30 days; ${visitor}`, 'recentUnique'),
  totalpageviews: views('Page views of storefronts', 'total'),
  uniquepageviews: views(`Page views of storefronts; ${visitor}`, 'totalUnique'),
  graphyeardata: figure(
    'Subscriptions by product and the month in which they began, twelve points per product: of this year, or of the year in the address',
    {
      useCase: subscriberFigures,
      query: { year: 'year' },
      response: Points,
      toResponse: wirePoints,
    },
  ),
}

export const analyticsApi: ApiTable = {
  prefix: 'analytics',
  calls: Object.entries(figures).flatMap(([name, calls]) => calls(name)),
}

interface Figure<Result> {
  useCase: UseCase<z.ZodType, Result>
  query?: Record<string, string>
  response: z.ZodType
  toResponse(result: Result): unknown
}

/** The two calls of a figure: for all titles of the publisher, and for one. */
function figure<Result>(summary: string, call: Figure<Result>): (name: string) => ApiCall[] {
  return (name) => [
    get({ ...call, path: `/${name}`, summary: `${summary}, of all titles` }),
    get({
      ...call,
      path: `/${name}/{pubId}`,
      summary: `${summary}, of one title`,
      params: { pubId: { is: 'id', field: 'publicationId' } },
    }),
  ]
}

function wireOrders({ orders: count, ...sums }: Revenue, part: 'recent' | 'overall'): z.input<typeof Orders> {
  return {
    count: count[part],
    totals: sums[part].map(({ amount, currency }) => ({ total: wireAmount(amount), currency })),
  }
}

/** Twelve points for each product, with zeros for empty months. */
function wirePoints({ months }: SubscriberFigures): z.input<typeof Points> {
  return subTypes.flatMap((subType) =>
    months[subType].map((count, index) => ({ _id: { subType, month: index + 1 }, count })),
  )
}
