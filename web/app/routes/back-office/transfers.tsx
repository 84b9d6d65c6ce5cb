import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { listLayouts } from '#core/mailing/list-layouts.query.ts'
import { ownPublication } from '#core/publications/own-publication.ts'
import { type ListedTransfer, listAlertable, listTransfers } from '#core/transfers/list-transfers.query.ts'
import { addTransfer } from '#core/transfers/save-transfer.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { RunState } from '#web/app/components/transfers/run-log.tsx'
import { TransferForm } from '#web/app/components/transfers/transfer-form.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { type Column, DataTable } from '#web/app/components/ui/data-table.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { Section } from '#web/app/components/ui/facts.tsx'
import { Moment } from '#web/app/components/ui/formats.tsx'
import { outdatedForm, readForm, submit } from '#web/app/http/form.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'
import { isNewTransfer, newTransfers, transferValues } from '#web/app/http/transfer-form.ts'

const title = 'Transfers'

export const handle: CrumbHandle<Awaited<ReturnType<typeof loader>>> = {
  crumbs: ({ publicationId, publicationName }) => [
    { label: 'Manage Data', to: `/managedata?publication=${publicationId}` },
    { label: publicationName },
    { label: title },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${title} – ${data?.publicationName ?? ''} – Masthead` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'transfers')
  const publicationId = idParam(params.publicationId, 'The publication')
  const { publicationName } = await ownPublication(ctx, { id: publicationId })
  const requested = new URL(request.url).searchParams.get('new')
  const [transfers, layouts, people] = await Promise.all([
    listTransfers(ctx, { publicationId }),
    listLayouts(ctx, { publicationId }),
    listAlertable(ctx, { publicationId }),
  ])
  return {
    publicationId,
    publicationName,
    people,
    timeZone: ctx.settings.timeZone,
    newTransfer: isNewTransfer(requested) ? requested : null,
    layouts: layouts.map(({ name }) => name),
    transfers: transfers.map(({ id, kind, name, protocol, host, url, isOn, runAt, lastRun }) => ({
      id,
      kind,
      name,
      where: protocol === 'sftp' ? host : url,
      isOn,
      runAt,
      lastRun,
    })),
  }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'transfers')
  const publicationId = idParam(params.publicationId, 'The publication')
  await ownPublication(ctx, { id: publicationId })
  const values = await readForm(request)
  return submit(context, values, async () => {
    if (values.intent !== 'add') throw outdatedForm()
    const { id } = await addTransfer(ctx, { ...transferValues(values), publicationId })
    const text = 'Transfer added. Check its connection.'
    return redirectWithToast(context, `/managedata/transfers/${publicationId}/${id}`, { kind: 'success', text })
  })
}

type Row = Pick<ListedTransfer, 'id' | 'kind' | 'name' | 'isOn' | 'runAt' | 'lastRun'> & { where: string }

function columnsFor(publicationId: number, timeZone: string): Column<Row>[] {
  return [
    {
      header: 'Name',
      onCard: 'title',
      cell: ({ id, name, where }) => (
        <>
          <Link to={`/managedata/transfers/${publicationId}/${id}`} className="link font-medium wrap-anywhere">
            {name}
          </Link>
          <span className="block font-normal wrap-anywhere text-ink-2">{where}</span>
        </>
      ),
    },
    { header: 'Action', cell: ({ kind }) => (kind === 'import' ? 'fetches readers' : 'sends the mailing file') },
    { header: 'When', cell: ({ isOn, runAt }) => (isOn ? `each day at ${runAt}` : 'manually') },
    { header: 'Last run', cell: ({ lastRun }) => <RunState run={lastRun} /> },
    {
      header: 'Started',
      cell: ({ lastRun }) => (lastRun ? <Moment at={lastRun.startedAt} timeZone={timeZone} /> : '-'),
    },
  ]
}

export default function Transfers() {
  const { publicationId, publicationName, transfers, newTransfer, layouts, people, timeZone } =
    useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  return (
    <>
      <PageHeader
        title={title}
        note={`${publicationName}: reader files that are fetched from a server each day and imported, and mailing files that are sent to a server.`}
      />
      <div className="space-y-6">
        <DataTable
          label={title}
          columns={columnsFor(publicationId, timeZone)}
          rows={transfers}
          rowKey={({ id }) => id}
          sort=""
          empty={<EmptyState title="No transfers yet">Choose below what to fetch or send.</EmptyState>}
        />
        <div className="max-w-3xl">
          <Section title={newTransfer ? newTransfers[newTransfer].title : 'New transfer'}>
            {newTransfer ? (
              <TransferForm
                key={newTransfer}
                {...newTransfers[newTransfer]}
                people={people}
                layouts={layouts}
                timeZone={timeZone}
                problem={problem}
              />
            ) : (
              <div className="flex flex-wrap gap-2">
                {Object.entries(newTransfers).map(([key, { title: label }]) => (
                  <LinkButton key={key} to={`?new=${key}`} kind="secondary">
                    {label}
                  </LinkButton>
                ))}
              </div>
            )}
          </Section>
        </div>
      </div>
    </>
  )
}
