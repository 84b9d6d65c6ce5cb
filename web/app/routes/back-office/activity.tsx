import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Link, useLoaderData, useNavigation, useSearchParams } from '@remix-run/react'
import Download from 'lucide-react/icons/download'
import { auditActions } from '#core/audit/audit-actions.ts'
import { listAudit } from '#core/audit/list-audit.query.ts'
import { type FieldErrors, isAppError } from '#core/kernel/errors.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { ActivityFilterForm } from '#web/app/components/forms/activity-filter-form.tsx'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { type Column, DataTable } from '#web/app/components/ui/data-table.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { FilterBar } from '#web/app/components/ui/filter-bar.tsx'
import { Moment } from '#web/app/components/ui/formats.tsx'
import { withParams } from '#web/app/components/ui/link-params.ts'
import { Pagination } from '#web/app/components/ui/pagination.tsx'
import { searchParams } from '#web/app/http/list-params.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { subjectLink } from '#web/app/http/subject-link.ts'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'My Account', to: '/account' }, { label: 'Activity' }] }

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.errors ? 'Error: ' : ''}Activity – Masthead` },
]

async function load({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'activity')
  const params = searchParams(request)
  const { errors, ...list } = await listOrRefuse(params, (narrowed) => listAudit(ctx, narrowed))
  return {
    ...list,
    rows: list.page.rows.map((row) => ({ ...row, link: subjectLink(ctx, row.subject) })),
    errors,
    query: { action: params.action ?? '', from: params.from ?? '', to: params.to ?? '' },
    isFiltered: filters.some((name) => params[name]?.trim()),
    actions: Object.entries(auditActions).map(([value, text]) => ({ value, label: capitalised(text) })),
    retentionDays: ctx.settings.auditKeepDays,
    timeZone: ctx.settings.timeZone,
  }
}

const filters = ['q', 'action', 'from', 'to', 'publisherId', 'userId', 'subjectType']

/** An invalid filter is reported at its field; the list is shown without the days and the action. */
async function listOrRefuse<Page>(input: Record<string, string>, list: (input: object) => Promise<Page>) {
  try {
    return { page: await list(input), errors: undefined }
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'invalid') throw error
    const errors: FieldErrors = error.fields ?? {}
    const otherFilters = Object.entries(input).filter(([name]) => !['from', 'to', 'action'].includes(name))
    return { page: await list(Object.fromEntries(otherFilters)), errors }
  }
}

export async function loader(args: LoaderFunctionArgs) {
  const loaded = await load(args)
  return data(loaded, { status: loaded.errors ? 422 : 200 })
}

type Row = Awaited<ReturnType<typeof load>>['rows'][number]

function columnsFor(timeZone: string, coversAllPublishers: boolean, params: URLSearchParams): Column<Row>[] {
  const publisher: Column<Row> = {
    header: 'Publisher',
    cell: ({ publisher: owner }) =>
      owner ? (
        <Link to={withParams(params, { publisherId: owner.id, page: null })} className="link">
          {owner.name}
        </Link>
      ) : (
        '-'
      ),
  }
  return [
    { header: 'When', cell: ({ at }) => <Moment at={at} timeZone={timeZone} /> },
    {
      header: 'Who',
      onCard: 'title',
      cell: ({ who, what }) => (
        <>
          <span className="font-medium">{who.name}</span>
          <span className="font-normal md:hidden"> {what}</span>
          {who.email && <span className="block font-normal wrap-anywhere text-muted md:min-w-52">{who.email}</span>}
        </>
      ),
    },
    { header: 'Action', onCard: 'hidden', cell: ({ what }) => capitalised(what) },
    {
      header: 'Record',
      cell: ({ subject, link }) =>
        link ? (
          <Link to={link} className="link wrap-anywhere md:inline-block md:min-w-32">
            {subject.text}
          </Link>
        ) : (
          <span className="wrap-anywhere">{subject.text}</span>
        ),
    },
    {
      header: 'Details',
      cell: ({ facts }) =>
        facts.length === 0 ? (
          '-'
        ) : (
          <span className="block wrap-anywhere md:max-w-80">
            {facts.map(({ name, value }) => `${name}: ${value}`).join('; ')}
          </span>
        ),
    },
    {
      header: 'Via',
      cell: ({ entryPoint, address }) => (
        <span>
          {entryPoint}
          {address && <span className="numeric block wrap-anywhere text-muted">{address}</span>}
        </span>
      ),
    },
    ...(coversAllPublishers ? [publisher] : []),
  ]
}

export default function Activity() {
  const { page, rows, errors, query, isFiltered, actions, retentionDays, timeZone } = useLoaderData<typeof loader>()
  const [params] = useSearchParams()
  const isLoading = useNavigation().location?.pathname === '/account/activity'
  const publisher = params.get('publisherId')
  return (
    <>
      <PageHeader
        title={
          <>
            Activity{' '}
            <span className="numeric font-normal text-muted">
              {formatCount(page.total)}
              {page.hasMore && '+'}
            </span>
          </>
        }
        note={`Every change and every download: who, what, when and from where. Entries are kept for ${countOf(retentionDays, 'day')}.`}
        actions={
          rows.length > 0 && (
            <LinkButton
              to={`/account/activity.csv${withParams(params, { page: null, size: null })}`}
              reloadDocument
              icon={<Download size={16} aria-hidden="true" />}
            >
              Download CSV
            </LinkButton>
          )
        }
      />
      <ActivityFilterForm values={query} actions={actions} errors={errors} />
      <div className="mb-3">
        <FilterBar
          label="Filter by person"
          placeholder="Name or email of who did it"
          noun="event"
          total={page.total}
          chips={[
            ...(query.action && !errors
              ? [{ param: 'action', text: actions.find(({ value }) => value === query.action)?.label ?? query.action }]
              : []),
            ...(query.from && !errors ? [{ param: 'from', text: `From ${query.from}` }] : []),
            ...(query.to && !errors ? [{ param: 'to', text: `To ${query.to}` }] : []),
            ...(publisher && page.coversAllPublishers
              ? [{ param: 'publisherId', text: `Publisher: ${rows[0]?.publisher?.name ?? publisher}` }]
              : []),
          ]}
        />
        {page.hasMore && (
          <p className="mt-2 text-table text-ink-2">
            {`These are the newest ${countOf(page.total, 'event')}. Narrow them down, or download the CSV, to see older ones.`}
          </p>
        )}
      </div>
      <DataTable
        label="Activity"
        columns={columnsFor(timeZone, page.coversAllPublishers, params)}
        rows={rows}
        rowKey={({ id }) => id}
        sort="-when"
        isLoading={isLoading}
        empty={
          isFiltered ? (
            <EmptyState title="Nothing matches your filter" action={<LinkButton to="?">Show all activity</LinkButton>}>
              Try a name or an email, another action or more days.
            </EmptyState>
          ) : (
            <EmptyState title="No activity yet">Log-ins, changes and downloads appear here as they happen.</EmptyState>
          )
        }
      />
      <Pagination {...page} noun="event" />
    </>
  )
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
