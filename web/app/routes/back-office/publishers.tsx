import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { countOf, formatCount } from '#core/kernel/words.ts'
import { listPublishers } from '#core/users/list-publishers.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { Badge } from '#web/app/components/ui/badge.tsx'
import { type Column, DataTable } from '#web/app/components/ui/data-table.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { Moment } from '#web/app/components/ui/formats.tsx'
import { enter } from '#web/app/http/enter.ts'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Publishers' }] }

export const meta: MetaFunction = () => [{ title: 'Publishers – Masthead' }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await enter(request, context, 'publishers')
  return { publishers: (await listPublishers(ctx, { size: 100 })).rows, timeZone: ctx.settings.timeZone }
}

type Publisher = Awaited<ReturnType<typeof loader>>['publishers'][number]

export default function Publishers() {
  const { publishers, timeZone } = useLoaderData<typeof loader>()
  const columns: Column<Publisher>[] = [
    {
      header: 'Company',
      onCard: 'title',
      cell: (publisher) => (
        <>
          <span className="font-medium">{publisher.companyName || '-'}</span>
          <span className="block font-normal text-muted">
            {publisher.firstName} {publisher.lastName}
          </span>
        </>
      ),
    },
    {
      header: 'Titles',
      isNumber: true,
      cell: ({ titles, titlesAllowed }) => `${formatCount(titles)} of ${formatCount(titlesAllowed)}`,
    },
    { header: 'Readers', isNumber: true, cell: ({ readers }) => formatCount(readers) },
    { header: 'Last log-in', cell: ({ lastLoginAt }) => <Moment at={lastLoginAt} timeZone={timeZone} /> },
    {
      header: 'Status',
      cell: ({ isActive }) => (isActive ? <Badge tone="success">Active</Badge> : <Badge>Deactivated</Badge>),
    },
  ]
  return (
    <>
      <PageHeader
        title={
          <>
            Publishers <span className="numeric font-normal text-muted">{formatCount(publishers.length)}</span>
          </>
        }
        note={countOf(
          publishers.reduce((sum, { readers }) => sum + readers, 0),
          'reader',
        )}
      />
      <DataTable
        label="Publishers"
        columns={columns}
        rows={publishers}
        rowKey={({ id }) => id}
        sort="company"
        empty={
          <EmptyState title="No publishers yet">
            Publishers appear here with their titles and readers once they have an account.
          </EmptyState>
        }
      />
    </>
  )
}
