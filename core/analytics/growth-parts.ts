import type { AppContext } from '../context.ts'
import { formatDay } from '../kernel/dates.ts'
import { type Currency, currencies, currencySymbol } from '../kernel/money.ts'
import { orderChannels, orderSources } from '../ledger/order-choices.rules.ts'
import { type RenewalCohorts, renewalCohorts } from './cohorts.query.ts'
import { renewalWindows } from './cohorts.rules.ts'
import { type Expiring, expiringByValue } from './expiring.query.ts'
import {
  count,
  type GrowthCell,
  type GrowthTable,
  money,
  monthLabel,
  none,
  periodLabel,
  text,
} from './growth-table.rules.ts'
import { type Loss, lossesByMonth, type MonthOfLosses } from './losses.query.ts'
import { type SourceYields, sourceYields, type Yield } from './order-sources.query.ts'
import { type PrintForecast, printForecast } from './print-forecast.query.ts'
import { type RevenueByMonth, revenueByMonth } from './revenue-by-month.query.ts'
import { type StorefrontViewsBy, storefrontViewsBy } from './storefront-views.query.ts'

type PublicationFilter = { publicationId?: number | undefined }

interface GrowthPart {
  title: string
  /** An explanation of the figures, which the page shows under "How it is calculated". */
  definition: readonly string[]
  read(ctx: AppContext, scope: PublicationFilter): Promise<GrowthTable[]>
}

/** The parts of the growth page, in their order: each is a separate figure that loads, fails and is downloaded on its own. */
export const growthParts = {
  renewals: {
    title: 'Renewal rate',
    definition: [
      'Each row is a month: all subscription terms whose last day was in it, free ones too. Orders that were refunded in full or reversed are left out.',
      'A term is renewed when the same reader has ordered a term that ends later. “By the end” counts orders up to its last day, “30 days” those up to 30 days after it, and so on: each column includes the one before it.',
      'Italic figures with “so far” can still grow: not every term of the month has had that many days.',
      'Lapsed terms have not been renewed so far. Renewed and lapsed together are the terms that ended.',
      'Readers who were imported and never ordered here are not counted.',
    ],
    read: async (ctx, input) => renewalTables(await renewalCohorts(ctx, input)),
  },
  losses: {
    title: 'Lapsed, refunded and failed',
    definition: [
      'Lapsed: terms that ended in the month and have not been renewed so far, as above.',
      'Declined: orders of the month whose payment was declined.',
      'Refunded, failed, disputed: by the day of the ledger entry, whatever the day of the order. Refunds that failed and disputes that were won are subtracted again.',
    ],
    read: async (ctx, input) => lossesTables(await lossesByMonth(ctx, input)),
  },
  revenue: {
    title: 'Revenue compared with last year',
    definition: [
      'What was sold less what was refunded, by the day on which it was entered in the sales ledger. Removed titles are included.',
      'Next to it is the same month a year earlier. For the current month, both go up to the same day.',
      'Each currency is shown separately. They are never added together.',
    ],
    read: async (ctx, input) => revenueTables(await revenueByMonth(ctx, input)),
  },
  sources: {
    title: 'Sources and promo codes',
    definition: [
      'Orders of the last 365 days by type, by channel (storefront, phone, post) and, where they have one, by promo code.',
      'Traffic sources are known for the storefront’s orders only, from the link that the visit began with (utm_source, utm_medium, utm_campaign). Direct orders came without one.',
      'The type of an order is the first that applies: back issue, gift, renewal (the reader had an earlier term), new subscription.',
      'Revenue is what was sold, after discount. Refunded is what has since been refunded or reversed on these orders. Net is the rest.',
      'Renewed counts the orders whose term has been renewed so far.',
      'Each currency has its own row.',
    ],
    read: async (ctx, input) => sourceTables(await sourceYields(ctx, input)),
  },
  expiring: {
    title: 'Expiring next, by value',
    definition: [
      'Readers whose subscription ends in each of the next three periods of 30 days, as their records say today. “Until further notice” never ends.',
      'Value is the amount on the readers’ records: what was paid for the term that ends. A reader without an amount has no value.',
      'Below, the subscriptions with the highest amounts that end in the next 30 days, at most five in each currency.',
    ],
    read: async (ctx, input) => expiringTables(await expiringByValue(ctx, input)),
  },
  forecast: {
    title: 'Print order forecast',
    definition: [
      'Copies of one issue: readers with a print or bundle subscription that runs at the end of the month, as their records say today. Spares and single copies sold are not included.',
      '“If nobody renews” is the minimum. “Expected” adds the readers whose subscription ends by then, multiplied by the renewal rate of the months whose 90 days are over.',
      'Issues is the number of issues in the month: the title’s issues a year, spread evenly over the months. A month without an issue needs no copies.',
    ],
    read: async (ctx, input) => forecastTables(await printForecast(ctx, input)),
  },
  views: {
    title: 'Storefront views',
    definition: [
      'Views: how often a storefront’s page was opened. Unique views: a visitor counts once per day and title, and is not tracked from one day to the next.',
      'The last 30 days, today included, are the “New views” of the dashboard; all months together are its “Total views”. Days and months without a view have no row.',
    ],
    read: async (ctx, input) => viewTables(await storefrontViewsBy(ctx, input)),
  },
} satisfies Record<string, GrowthPart>

export type GrowthPartName = keyof typeof growthParts
export const growthPartNames = Object.keys(growthParts) as [GrowthPartName, ...GrowthPartName[]]

function renewalTables({ cohorts }: RenewalCohorts): GrowthTable[] {
  return [
    {
      title: 'Renewals by month in which the term ended',
      headings: ['Ended in', 'Terms', 'By the end', ...renewalWindows.slice(1).map((days) => `${days} days`), 'Lapsed'],
      rows: cohorts.map(({ month, isRunning, ended, windows, lapsed }) => ({
        label: monthLabel(month),
        isSoFar: isRunning,
        cells: [
          count(ended),
          ...windows.map(
            ({ renewed, isSettled }): GrowthCell => ({ kind: 'share', part: renewed, whole: ended, isSettled }),
          ),
          count(lapsed),
        ],
      })),
    },
  ]
}

const lossKinds = ['refunded', 'failed', 'disputed'] as const
type LossKind = (typeof lossKinds)[number]

function lossesTables({ months }: { months: MonthOfLosses[] }): GrowthTable[] {
  // Only the currencies in which each kind of loss occurred: with all of them, the table would be wider than a screen.
  const currenciesOf = (kind: LossKind) =>
    currencies.filter((currency) =>
      months.some((month) => month[kind].money.some((sum) => sum.currency === currency && sum.amount !== 0)),
    )
  const shown = {
    refunded: currenciesOf('refunded'),
    failed: currenciesOf('failed'),
    disputed: currenciesOf('disputed'),
  }
  const sumHeadings = (kind: LossKind) => shown[kind].map((currency) => `${currencySymbol(currency)} ${kind}`)
  return [
    {
      title: 'Losses by month',
      headings: [
        'Month',
        'Lapsed',
        'Declined',
        'Refunds',
        ...sumHeadings('refunded'),
        'Failed debits',
        ...sumHeadings('failed'),
        'Disputes',
        ...sumHeadings('disputed'),
      ],
      rows: months.map((row) => ({
        label: monthLabel(row.month),
        isSoFar: row.isRunning,
        cells: [
          count(row.lapsed),
          count(row.declined),
          ...lossKinds.flatMap((kind) => lossCells(row[kind], shown[kind])),
        ],
      })),
    },
  ]
}

function lossCells({ count: n, money: sums }: Loss, shownCurrencies: readonly Currency[]): GrowthCell[] {
  return [
    count(n),
    ...shownCurrencies.map((currency) => {
      const sum = sums.find((candidate) => candidate.currency === currency)
      return sum && sum.amount !== 0 ? money(sum) : none
    }),
  ]
}

function revenueTables({ currencies: sums }: RevenueByMonth): GrowthTable[] {
  return sums.map(({ currency, months }) => ({
    title: `Revenue in ${currency}`,
    headings: ['Month', 'Revenue', 'Year before', 'Difference'],
    rows: months.map(({ month, net, yearBefore, isRunning }) => ({
      label: monthLabel(month),
      isSoFar: isRunning,
      cells: [net, yearBefore, net - yearBefore].map((amount) => money({ amount, currency })),
    })),
  }))
}

function sourceTables({ sources, channels, traffic, promoCodes }: SourceYields): GrowthTable[] {
  return [
    {
      title: 'By order type',
      headings: ['Order type', ...yieldHeadings],
      rows: sources.flatMap(({ source, yields }) => yields.map((row) => yieldRow(orderSources[source], row))),
    },
    {
      title: 'By channel',
      headings: ['Channel', ...yieldHeadings],
      rows: channels.flatMap(({ channel, yields }) => yields.map((row) => yieldRow(orderChannels[channel], row))),
    },
    {
      title: 'By traffic source',
      headings: ['Source', 'Medium', 'Campaign', ...yieldHeadings],
      rows: traffic.flatMap(({ source, yields }) => yields.map((row) => trafficRow(source, row))),
    },
    {
      title: 'By promo code',
      headings: ['Promo code', ...yieldHeadings],
      rows: promoCodes.flatMap(({ code, yields }) => yields.map((row) => yieldRow(code, row))),
    },
  ]
}

function trafficRow(source: SourceYields['traffic'][number]['source'], row: Yield): GrowthTable['rows'][number] {
  const isNamed = typeof source === 'object'
  const { label, cells } = yieldRow(isNamed ? source.utmSource : source === 'direct' ? 'Direct' : 'Others', row)
  const details = isNamed ? [source.utmMedium, source.utmCampaign] : ['', '']
  return { label, cells: [...details.map((name) => (name ? text(name) : none)), ...cells] }
}

function viewTables({ months, days }: StorefrontViewsBy): GrowthTable[] {
  type Row = StorefrontViewsBy['days'][number] | StorefrontViewsBy['months'][number]
  const table = (title: string, head: string, rows: readonly Row[]): GrowthTable => ({
    title,
    headings: [head, 'Views', 'Unique views'],
    rows: rows.map((row) => ({
      ...('on' in row ? { label: formatDay(row.on) } : { label: monthLabel(row.month), isSoFar: row.isRunning }),
      cells: [count(row.views), count(row.unique)],
    })),
  })
  return [table('Views in the last 30 days', 'Day', days), table('Views by month', 'Month', months)]
}

const yieldHeadings = ['Currency', 'Orders', 'Revenue', 'Refunded', 'Net', 'Renewed']

function yieldRow(label: string, { currency, orders, renewed, ...sums }: Yield): GrowthTable['rows'][number] {
  return {
    label,
    cells: [
      text(currency),
      count(orders),
      ...[sums.sold, sums.refunded, sums.net].map((amount) => money({ amount, currency })),
      count(renewed),
    ],
  }
}

function expiringTables({ periods, first }: Awaited<ReturnType<typeof expiringByValue>>): GrowthTable[] {
  const shownCurrencies = currencies.filter((currency) =>
    periods.some(({ paid }) => paid.some((sum) => sum.currency === currency)),
  )
  const valueIn = ({ paid }: Expiring, currency: (typeof currencies)[number]): GrowthCell => {
    const sum = paid.find((candidate) => candidate.currency === currency)
    return sum ? money({ amount: sum.value, currency }) : none
  }
  return [
    {
      title: 'The next 90 days',
      headings: ['Last day', 'Readers', ...shownCurrencies.map((currency) => `Value in ${currency}`)],
      rows: periods.map((period) => ({
        label: periodLabel(period.from, period.until),
        cells: [count(period.readers), ...shownCurrencies.map((currency) => valueIn(period, currency))],
      })),
    },
    {
      title: 'Highest-value subscriptions ending in the next 30 days',
      headings: ['Reader', 'Publication', 'Ends', 'Currency', 'Value'],
      rows: first.map(({ id, name, publicationName, subEndOn, currency, value }) => ({
        label: name,
        to: `/editreader/${id}`,
        cells: [text(publicationName), text(formatDay(subEndOn)), text(currency), money({ amount: value, currency })],
      })),
    },
  ]
}

function forecastTables({ titles, rate }: PrintForecast): GrowthTable[] {
  const expectedHeading = rate === null ? 'Expected' : `Expected at ${Math.round(rate * 100)}%`
  return titles.map(({ publicationName, issuesPerYear, months }) => ({
    title: `${publicationName}, ${issuesPerYear} issues a year`,
    headings: ['Month', 'Issues', 'If nobody renews', expectedHeading, 'Copies for the month'],
    rows: months.map(({ month, issues, copies, expected }) => ({
      label: monthLabel(month),
      cells: [
        count(issues),
        count(copies),
        expected === null ? none : count(expected),
        count(issues * (expected ?? copies)),
      ],
    })),
  }))
}
