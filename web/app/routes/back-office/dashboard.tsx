import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { Link, useLoaderData, useSearchParams } from '@remix-run/react'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useMemo } from 'react'
import type { ReaderSet } from '#core/analytics/reader-sets.rules.ts'
import type { Revenue } from '#core/analytics/revenue.query.ts'
import type { StorefrontViews } from '#core/analytics/storefront-views.query.ts'
import type { SubscriberFigures } from '#core/analytics/subscriber-figures.query.ts'
import { monthState } from '#core/analytics/year-chart.rules.ts'
import { changeFirstRun } from '#core/first-run/change-first-run.ts'
import { firstRun } from '#core/first-run/first-run.query.ts'
import { dayOf } from '#core/kernel/calendar.ts'
import type { Money as MoneyValue } from '#core/kernel/money.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { readerHome } from '#core/readers/reader-home.query.ts'
import { YearChart } from '#web/app/components/charts/year-chart.tsx'
import { YearTable } from '#web/app/components/charts/year-table.tsx'
import { AsOf, SlowFiguresNotice } from '#web/app/components/figures/as-of.tsx'
import { FigureTile, MissingFigures } from '#web/app/components/figures/figure-tile.tsx'
import { type ShownFigures, useFigures } from '#web/app/components/figures/use-figures.ts'
import { FirstRunCard } from '#web/app/components/first-run/first-run-card.tsx'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { Section } from '#web/app/components/ui/facts.tsx'
import { Money } from '#web/app/components/ui/formats.tsx'
import { withParams } from '#web/app/components/ui/link-params.ts'
import { PublicationChoice } from '#web/app/components/ui/publication-choice.tsx'
import { StatCards } from '#web/app/components/ui/stat-card.tsx'
import { addExample } from '#web/app/http/example.ts'
import { figureParts, figuresQuery, loadFigures, loadFiguresWithTimeout } from '#web/app/http/figure-parts.ts'
import { readForm } from '#web/app/http/form.ts'
import { listParams } from '#web/app/http/list-params.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { ownAddress } from '#web/app/http/user-actions.ts'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Analytics' }] }

export const meta: MetaFunction = () => [{ title: 'Analytics – Masthead' }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'dashboard')
  const query = figuresQuery(request)
  const read = listParams(request).wait === '1' ? loadFigures : loadFiguresWithTimeout
  const [publications, steps, subscribers, money, views] = await Promise.all([
    readerHome(ctx, {}),
    firstRun(ctx, {}),
    read(ctx, 'subscribers', figureParts.subscribers(ctx, query)),
    read(ctx, 'revenue', figureParts.revenue(ctx, query)),
    read(ctx, 'views', figureParts.views(ctx, query)),
  ])
  return {
    publications: publications.map(({ id, publicationName }) => ({ id, publicationName })),
    firstRun: { ...steps, appUrl: ctx.settings.appUrl },
    publicationId: query.publicationId ?? null,
    subscribers,
    money,
    views,
    today: dayOf(ctx.now(), ctx.settings.timeZone),
    year: query.year,
    timeZone: ctx.settings.timeZone,
  }
}

/** Handles the forms of the first steps. */
export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'dashboard')
  const { intent } = await readForm(request)
  if (intent === 'make-example') return addExample(ctx, context)
  await changeFirstRun(ctx, { change: intent })
  return redirect(ownAddress(request))
}

export default function Dashboard() {
  const { publicationId, year } = useLoaderData<typeof loader>()
  // Another title or year remounts the page: earlier figures are dropped.
  return <Figures key={`${publicationId} ${year}`} />
}

function Figures() {
  const loaded = useLoaderData<typeof loader>()
  const { publications, timeZone } = loaded
  const [params] = useSearchParams()
  const subscribers = useFigures('subscribers', loaded.subscribers, params)
  const money = useFigures('revenue', loaded.money, params)
  const views = useFigures('views', loaded.views, params)
  const parts = [subscribers, money, views]
  return (
    <>
      <PageHeader
        title="Analytics"
        actions={
          <>
            <LinkButton to={`/dashboard/growth${publicationQuery(loaded.publicationId)}`}>Growth</LinkButton>
            <Publication />
          </>
        }
        note={<AsOf parts={parts} timeZone={timeZone} />}
      />
      <FirstRunCard {...loaded.firstRun} />
      {publications.length === 0 && loaded.firstRun.state !== 'open' && (
        <Banner title="No Publications found for this User">
          The figures below start with your first publication.
        </Banner>
      )}
      <SlowFiguresNotice parts={[loaded.subscribers, loaded.money, loaded.views]} />
      <div className="space-y-6">
        <Views views={views} />
        <SubscribersByMonth {...subscribers} />
        <div className="grid gap-6 2xl:grid-cols-2">
          <Recent subscribers={subscribers} money={money} />
          <Current subscribers={subscribers} money={money} />
        </div>
      </div>
    </>
  )
}

function publicationQuery(publicationId: number | null): string {
  return publicationId === null ? '' : `?publication=${publicationId}`
}

const viewTiles = [
  { part: 'recent', label: 'New views', note: 'Storefront, last 30 days' },
  { part: 'recentUnique', label: 'New unique views', note: 'Storefront, last 30 days, each visitor once a day' },
  { part: 'total', label: 'Total views', note: 'Storefront, all time' },
  { part: 'totalUnique', label: 'Total unique views', note: 'Storefront, each visitor once a day' },
] as const

function Views({ views: { figures, retry } }: { views: ShownFigures<StorefrontViews> }) {
  const { publicationId } = useLoaderData<typeof loader>()
  return (
    <StatCards label="Storefront views">
      {viewTiles.map(({ part, label, note }) => (
        <FigureTile
          key={part}
          label={label}
          note={note}
          value={figureText(figures, (views) => views[part])}
          to={`/dashboard/growth${publicationQuery(publicationId)}#views`}
          onRetry={retry}
        />
      ))}
    </StatCards>
  )
}

interface PanelProps {
  subscribers: ShownFigures<SubscriberFigures>
  money: ShownFigures<Revenue>
}

function Recent({ subscribers: { figures, retry }, money }: PanelProps) {
  const list = useReaderList()
  const days = money.figures?.recentDays
  return (
    <Panel title="Last 30 days">
      <FigureTile
        label="Subscribers"
        value={figureText(figures, ({ recent }) => recent.all)}
        note="Began in the last 30 days"
        to={list('recent')}
        onRetry={retry}
      />
      <FigureTile
        label="Expirations"
        value={figureText(figures, ({ expiredRecently }) => expiredRecently)}
        note="Ended in the last 30 days"
        to={list('expired')}
        onRetry={retry}
      />
      {productTiles.map(({ product, label }) => (
        <FigureTile
          key={product}
          label={label}
          value={figureText(figures, ({ recent }) => recent[product])}
          note="Last 30 days"
          to={list('recent', product)}
          onRetry={retry}
        />
      ))}
      <FigureTile
        label="New revenue"
        value={money.figures ? <Sums sums={money.figures.recent} /> : money.figures}
        note={
          money.figures ? `${countOf(money.figures.orders.recent, 'order')} sold in the last 30 days` : 'Last 30 days'
        }
        to={days && `/payments${list.search({ by: 'sold', from: days.from, until: days.until })}`}
        isWide
        onRetry={money.retry}
      />
    </Panel>
  )
}

function Current({ subscribers: { figures, retry }, money }: PanelProps) {
  const list = useReaderList()
  return (
    <Panel title="Current">
      <FigureTile
        label="Current subscribers"
        value={figureText(figures, ({ current }) => current.all)}
        note="Running today"
        to={list('current')}
        onRetry={retry}
      />
      <FigureTile
        label="Expirations"
        value={figureText(figures, ({ expiringSoon }) => expiringSoon)}
        note="Ending in the next 30 days"
        to={list('expiring')}
        onRetry={retry}
      />
      {productTiles.map(({ product, label }) => (
        <FigureTile
          key={product}
          label={`Current ${label[0]?.toLowerCase()}${label.slice(1)}`}
          value={figureText(figures, ({ current }) => current[product])}
          note="Running today"
          to={list('current', product)}
          onRetry={retry}
        />
      ))}
      <FigureTile
        label="Total overall revenue"
        value={money.figures ? <Sums sums={money.figures.overall} /> : money.figures}
        note={money.figures ? `${countOf(money.figures.orders.overall, 'order')} in total` : 'All time'}
        to={`/payments${list.search({})}`}
        isWide
        onRetry={money.retry}
      />
    </Panel>
  )
}

const productTiles = [
  { product: 'print', label: 'Print subs' },
  { product: 'digital', label: 'Digital subs' },
  { product: 'bundle', label: 'Bundle subs' },
] as const

/** A count as text; undefined while the figures load, null if they failed. */
function figureText<Part>(
  figures: Part | null | undefined,
  read: (figures: Part) => number,
): string | null | undefined {
  return figures ? formatCount(read(figures)) : (figures as null | undefined)
}

/** The link to the readers of a set; `search` is the query of any other list. Both are for the chosen title. */
function useReaderList() {
  const { publicationId } = useLoaderData<typeof loader>()
  const search = (query: Record<string, string | undefined>) => {
    const input = { ...query, publication: publicationId === null ? undefined : String(publicationId) }
    const text = new URLSearchParams(
      Object.entries(input).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ).toString()
    return text && `?${text}`
  }
  return Object.assign((set: ReaderSet, product?: string) => `/dashboard/readers${search({ set, product })}`, {
    search,
  })
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

/** One line per currency: amounts in different currencies are never added together. */
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

function Publication() {
  const { publications, publicationId, year } = useLoaderData<typeof loader>()
  return (
    <PublicationChoice publications={publications} chosen={publicationId} all="All Data">
      {year && <input type="hidden" name="year" value={year} />}
    </PublicationChoice>
  )
}

function SubscribersByMonth({ figures, retry }: ShownFigures<SubscriberFigures>) {
  const { today, year: requestedYear } = useLoaderData<typeof loader>()
  const [params] = useSearchParams()
  const thisYear = Number(today.slice(0, 4))
  const year = figures?.year ?? requestedYear ?? thisYear
  const title = `Subscriptions started in ${year}, by month`
  const toYear = (target: number) => withParams(params, { year: target === thisYear ? null : target })
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
      {figures ? (
        <Months figures={figures} title={title} today={today} />
      ) : (
        <MissingFigures isFailed={figures === null} about={title} onRetry={retry} />
      )}
    </Section>
  )
}

function Months({ figures, title, today }: { figures: SubscriberFigures; title: string; today: string }) {
  const { months, running, all } = useMemo(() => chartMonths(figures, today), [figures, today])
  return (
    <>
      {all === 0 && (
        <p className="mb-3 text-body text-ink-2">
          No subscriptions began in this year.
          {figures.year === Number(today.slice(0, 4)) && ' Your first sale will appear here.'}
        </p>
      )}
      <YearChart
        months={months}
        currentMonth={running}
        summary={`${title}: ${countOf(all, 'subscription')} in print, digital and bundle together.`}
      />
      <YearTable title={title} year={figures.year} months={months} currentMonth={running} />
    </>
  )
}

/** The chart's values of a year: a future month is null, not zero. */
function chartMonths({ months, year }: SubscriberFigures, today: string) {
  const states = Array.from({ length: 12 }, (_, index) => monthState(year, index + 1, today))
  const pastValues = (values: number[]) => values.map((value, index) => (states[index] === 'ahead' ? null : value))
  return {
    months: { print: pastValues(months.print), digital: pastValues(months.digital), bundle: pastValues(months.bundle) },
    running: states.indexOf('running'),
    all: Object.values(months)
      .flat()
      .reduce((sum, value) => sum + value, 0),
  }
}
