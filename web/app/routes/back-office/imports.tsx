import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { listImports } from '#core/imports/list-imports.query.ts'
import type { ImportView } from '#core/imports/upload-view.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { Badge } from '#web/app/components/ui/badge.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { type Column, DataTable } from '#web/app/components/ui/data-table.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { Moment } from '#web/app/components/ui/formats.tsx'
import { Pagination } from '#web/app/components/ui/pagination.tsx'
import { importKindText, startedBy, stateLabels } from '#web/app/components/uploads/upload-texts.ts'
import { existingPage, listParams } from '#web/app/http/list-params.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

export const handle: CrumbHandle<Awaited<ReturnType<typeof loader>>> = {
  crumbs: ({ publicationId, list }) => [
    { label: 'Manage Data', to: `/managedata?publication=${publicationId}` },
    { label: list.publicationName },
    { label: 'Imports' },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Imports – ${data?.list.publicationName ?? ''} – Masthead` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'imports')
  const publicationId = idParam(params.publicationId, 'The publication')
  const { page, size } = listParams(request)
  const list = existingPage(request, await listImports(ctx, { page, size, publicationId }))
  return { publicationId, list, timeZone: ctx.settings.timeZone }
}

export default function Imports() {
  const { publicationId, list, timeZone } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader
        title={
          <>
            Imports <span className="numeric font-normal text-muted">{formatCount(list.total)}</span>
          </>
        }
        note={list.publicationName}
        actions={<LinkButton to={`/managedata?publication=${publicationId}`}>Manage Data</LinkButton>}
      />
      <DataTable
        label="Imports"
        columns={columnsIn(timeZone)}
        rows={list.rows}
        rowKey={({ id }) => id}
        sort=""
        rowLink={({ page, fileName }) => ({ to: page, label: `View the import of ${fileName}` })}
        empty={
          <EmptyState
            title="Nothing has been imported yet"
            action={
              <LinkButton to={`/uploadadditional/${publicationId}`} kind="primary">
                Upload readers
              </LinkButton>
            }
          >
            Your imports are listed here with their results. Each can be undone for 30 days.
          </EmptyState>
        }
      />
      <Pagination {...list} noun="import" />
    </>
  )
}

function columnsIn(timeZone: string): Column<ImportView>[] {
  const count = (header: string, getValue: (row: ImportView) => number): Column<ImportView> => ({
    header,
    cell: (row) => formatCount(getValue(row)),
    isNumber: true,
  })
  return [
    {
      header: 'File',
      cell: (row) => (
        <>
          <span className="block font-medium wrap-anywhere">{row.fileName}</span>
          <span className="block text-ink-2">{importKindText(row)}</span>
        </>
      ),
      onCard: 'title',
    },
    {
      header: 'Status',
      cell: ({ state }) => <Badge tone={stateLabels[state].tone}>{stateLabels[state].text}</Badge>,
    },
    {
      header: 'When',
      cell: (row) => (
        <span>
          <Moment at={row.startedAt} timeZone={timeZone} />
          <span className="block text-ink-2">{startedBy(row)}</span>
        </span>
      ),
    },
    count('Added', ({ added }) => added),
    count('Updated', ({ updated }) => updated),
    count('Removed', ({ removed }) => removed),
    count('Rejected', ({ failed }) => failed),
  ]
}
