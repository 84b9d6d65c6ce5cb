import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useLoaderData, useSearchParams } from '@remix-run/react'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { revenue } from '#core/analytics/revenue.query.ts'
import { storefrontViews } from '#core/analytics/storefront-views.query.ts'
import { subscriberFigures } from '#core/analytics/subscriber-figures.query.ts'
import { monthState } from '#core/analytics/year-chart.rules.ts'
import { dayOf } from '#core/kernel/calendar.ts'
import { countOf, formatCount } from '#core/kernel/counted.ts'
import type { Money as MoneyValue } from '#core/kernel/money.ts'
import { readerHome } from '#core/readers/reader-home.query.ts'
import { YearChart } from '#web/app/components/charts/year-chart.tsx'
import { YearTable } from '#web/app/components/charts/year-table.tsx'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { Section } from '#web/app/components/ui/facts.tsx'
import { Moment, Money } from '#web/app/components/ui/formats.tsx'
import { withParams } from '#web/app/components/ui/link-params.ts'
import { PublicationChoice } from '#web/app/components/ui/publication-choice.tsx'
import { StatCard, StatCards } from '#web/app/components/ui/stat-card.tsx'
import { enter } from '#web/app/http/enter.ts'
import { listParams } from '#web/app/http/list-params.ts'
import { idParam } from '#web/app/http/param-id.ts'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Analytics' }] }

export const meta: MetaFunction = () => [{ title: 'Analytics – Masthead' }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await enter(request, context, 'dashboard')
  const asked = listParams(request)
  const publicationId = asked.publication ? idParam(asked.publication, 'The publication') : undefined
  const [publications, figures, money, views] = await Promise.all([
    readerHome(ctx, {}),
    subscriberFigures(ctx, { publicationId, year: asked.year }),
    revenue(ctx, { publicationId }),
    storefrontViews(ctx, { publicationId }),
  ])
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const states = Array.from({ length: 12 }, (_, index) => monthState(figures.year, index + 1, today))
  const drawn = (values: number[]) => values.map((value, index) => (states[index] === 'ahead' ? null : value))
  const { print, digital, bundle } = figures.months
  return {
    publications: publications.map(({ id, publicationName }) => ({ id, publicationName })),
    publicationId: publicationId ?? null,
    figures,
    months: { print: drawn(print), digital: drawn(digital), bundle: drawn(bundle) },
    running: states.indexOf('running'),
    thisYear: Number(today.slice(0, 4)),
    money,
    views,
    at: ctx.now(),
    timeZone: ctx.settings.timeZone,
  }
}

export default function Dashboard() {
  const { figures, money, views, publications, publicationId } = useLoaderData<typeof loader>()
  const { recent, current } = figures
  return (
    <>
      <PageHeader title="Analytics" actions={<Publication />} note={<Updated />} />
      {publications.length === 0 && (
        <Banner title="No Publications found for this User">
          The figures below begin to count with your first publication.
        </Banner>
      )}
      <div className="space-y-6">
        <StatCards label="Storefront views">
          <StatCard label="New views" value={formatCount(views.recent)} note="Storefront, last 30 days" />
          <StatCard
            label="New unique views"
            value={formatCount(views.recentUnique)}
            note="Storefront, last 30 days, a visitor once a day"
          />
          <StatCard label="Total views" value={formatCount(views.total)} note="Storefront, since the start" />
          <StatCard
            label="Total unique views"
            value={formatCount(views.totalUnique)}
            note="Storefront, a visitor once a day"
          />
        </StatCards>
        <SubscribersByMonth />
        <div className="grid gap-6 2xl:grid-cols-2" key={publicationId}>
          <Panel title="Last 30 days">
            <StatCard label="Subscribers" value={formatCount(recent.all)} note="Began in the last 30 days" />
            <StatCard
              label="Expirations"
              value={formatCount(figures.expiredRecently)}
              note="Ended in the last 30 days"
            />
            <StatCard label="Print subs" value={formatCount(recent.print)} note="Last 30 days" />
            <StatCard label="Digital subs" value={formatCount(recent.digital)} note="Last 30 days" />
            <StatCard label="Bundle subs" value={formatCount(recent.bundle)} note="Last 30 days" />
            <StatCard label="New revenue" value={<Sums sums={money.recent} />} note="Sold in the last 30 days" isWide />
          </Panel>
          <Panel title="Current">
            <StatCard label="Current subscribers" value={formatCount(current.all)} note="Running today" />
            <StatCard label="Expirations" value={formatCount(figures.expiringSoon)} note="Ending in the next 30 days" />
            <StatCard label="Current print subs" value={formatCount(current.print)} note="Running today" />
            <StatCard label="Current digital subs" value={formatCount(current.digital)} note="Running today" />
            <StatCard label="Current bundle subs" value={formatCount(current.bundle)} note="Running today" />
            <StatCard
              label="Total overall revenue"
              value={<Sums sums={money.overall} />}
              note="Since the start"
              isWide
            />
          </Panel>
        </div>
      </div>
    </>
  )
}

function Panel({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section>
      <h2 className="mb-3 text-h3">{title}</h2>
      <StatCards label={title} columns={3}>
        {children}
      </StatCards>
    </section>
  )
}

/** One line per currency: sums of different money are never one number. */
function Sums({ sums }: { sums: MoneyValue[] }) {
  return (
    <>
      {sums.map((sum, index) => (
        <span key={sum.currency} className={`block ${index > 0 ? 'text-lead font-medium' : ''}`}>
          <Money value={sum} />
        </span>
      ))}
    </>
  )
}

function Updated() {
  const { at, timeZone } = useLoaderData<typeof loader>()
  return (
    <>
      Updated <Moment at={at} timeZone={timeZone} />
    </>
  )
}

function Publication() {
  const { publications, publicationId, figures, thisYear } = useLoaderData<typeof loader>()
  return (
    <PublicationChoice publications={publications} chosen={publicationId} all="All Data">
      {figures.year !== thisYear && <input type="hidden" name="year" value={figures.year} />}
    </PublicationChoice>
  )
}

function SubscribersByMonth() {
  const { months, running, figures, thisYear } = useLoaderData<typeof loader>()
  const [params] = useSearchParams()
  const { year } = figures
  const all = Object.values(figures.months)
    .flat()
    .reduce((sum, value) => sum + value, 0)
  const title = `Subscriptions begun in ${year}, by month`
  const toYear = (wanted: number) => withParams(params, { year: wanted === thisYear ? null : wanted })
  const arrow = 'inline-flex size-8 items-center justify-center rounded-input text-primary hover:bg-subtle'
  return (
    <Section
      title={title}
      action={
        <nav aria-label="Year" className="no-print flex items-center gap-1">
          <Link
            to={toYear(year - 1)}
            preventScrollReset
            aria-label={`${year - 1}`}
            title={`${year - 1}`}
            className={arrow}
          >
            <ChevronLeft size={16} aria-hidden="true" />
          </Link>
          <span className="numeric text-body font-medium">{year}</span>
          {year < thisYear && (
            <Link
              to={toYear(year + 1)}
              preventScrollReset
              aria-label={`${year + 1}`}
              title={`${year + 1}`}
              className={arrow}
            >
              <ChevronRight size={16} aria-hidden="true" />
            </Link>
          )}
        </nav>
      }
    >
      {all === 0 && (
        <p className="mb-3 text-body text-ink-2">
          No subscription began in this year. Your first sale will appear here.
        </p>
      )}
      <YearChart
        months={months}
        running={running}
        summary={`${title}: ${countOf(all, 'subscription')} in print, digital and bundle together.`}
      />
      <YearTable title={title} year={year} months={months} running={running} />
    </Section>
  )
}
