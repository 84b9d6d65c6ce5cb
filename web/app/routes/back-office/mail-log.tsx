import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Link, useLoaderData, useNavigation, useSearchParams } from '@remix-run/react'
import { type LoggedMail, listMailLog, loggedEmails } from '#core/emails/mail-log.query.ts'
import { type FieldErrors, isAppError } from '#core/kernel/errors.ts'
import { ownPublication } from '#core/publications/own-publication.ts'
import { getReader } from '#core/readers/get-reader.query.ts'
import { KeysetPagination } from '#web/app/components/emails/keyset-pagination.tsx'
import { MailLogFilter } from '#web/app/components/emails/mail-log-filter.tsx'
import { MailStateCell, mailStateLabels } from '#web/app/components/emails/mail-state.tsx'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { type Column, DataTable } from '#web/app/components/ui/data-table.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { FilterBar } from '#web/app/components/ui/filter-bar.tsx'
import { Moment } from '#web/app/components/ui/formats.tsx'
import { readerName } from '#web/app/components/ui/reader-cells.tsx'
import { searchParams } from '#web/app/http/list-params.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

export const handle: CrumbHandle<Loaded> = {
  crumbs: ({ publicationId, publicationName }) => [
    { label: 'Email templates', to: '/emailtemplates' },
    { label: publicationName, to: `/emailtemplates/${publicationId}` },
    { label: 'Mail log' },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.errors ? 'Error: ' : ''}Mail log of ${data?.publicationName ?? ''} – Masthead` },
]

const filters = ['q', 'mail', 'state', 'from', 'to', 'readerId']

async function load({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'mailLog')
  const publicationId = idParam(params.publicationId, 'The publication')
  const { publicationName } = await ownPublication(ctx, { id: publicationId })
  const query = searchParams(request)
  const readerId = query.readerId === undefined ? null : idParam(query.readerId, 'The reader')
  const list = (narrowed: object) => listMailLog(ctx, { ...narrowed, publicationId })
  return {
    publicationId,
    publicationName,
    ...(await listOrRefuse(query, list)),
    filterValues: { mail: query.mail ?? '', state: query.state ?? '', from: query.from ?? '', to: query.to ?? '' },
    reader: readerId === null ? null : readerName(await getReader(ctx, { id: readerId })),
    isFiltered: filters.some((name) => query[name]?.trim()),
    mailKinds: loggedEmails.map(({ name, title }) => ({ value: name, label: title })),
    timeZone: ctx.settings.timeZone,
  }
}
type Loaded = Awaited<ReturnType<typeof load>>

/** An invalid filter is reported at its field; the list is shown with the search only. */
async function listOrRefuse<Page>(input: Record<string, string>, list: (input: object) => Promise<Page>) {
  try {
    return { page: await list(input), errors: undefined }
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'invalid') throw error
    const errors: FieldErrors = error.fields ?? {}
    const searchOnly = Object.entries(input).filter(([name]) => ['q', 'size'].includes(name))
    return { page: await list(Object.fromEntries(searchOnly)), errors }
  }
}

export async function loader(args: LoaderFunctionArgs) {
  const loaded = await load(args)
  return data(loaded, { status: loaded.errors ? 422 : 200 })
}

function columnsFor(publicationId: number, timeZone: string): Column<LoggedMail>[] {
  return [
    { header: 'When', cell: ({ at }) => <Moment at={at} timeZone={timeZone} /> },
    {
      header: 'Email',
      onCard: 'title',
      cell: ({ id, title, subject }) => (
        <>
          <Link to={`/maillog/${publicationId}/${id}`} className="link font-medium">
            {title}
          </Link>
          <span className="block font-normal wrap-anywhere text-ink-2 md:max-w-80">{subject}</span>
        </>
      ),
    },
    { header: 'To', cell: ({ to }) => <span className="wrap-anywhere">{to || 'A removed reader'}</span> },
    {
      header: 'Reader',
      cell: ({ reader }) =>
        reader ? (
          <Link to={`/editreader/${reader.id}`} className="link wrap-anywhere">
            {reader.name}
          </Link>
        ) : (
          '-'
        ),
    },
    { header: 'Status', cell: (mail) => <MailStateCell {...mail} /> },
  ]
}

export default function MailLog() {
  const { publicationId, publicationName, page, errors, filterValues, reader, isFiltered, mailKinds, timeZone } =
    useLoaderData<typeof loader>()
  const [params] = useSearchParams()
  const isLoading = useNavigation().location?.pathname === `/maillog/${publicationId}`
  const states = Object.entries(mailStateLabels).map(([value, { text }]) => ({ value, label: text }))
  const labelOf = (choices: typeof mailKinds, key: string) => choices.find(({ value }) => value === key)?.label ?? key
  return (
    <>
      <PageHeader
        title="Mail log"
        note={`Emails that ${publicationName} sent to readers and to its own addresses, and whether they were delivered.`}
      />
      <MailLogFilter values={filterValues} mailKinds={mailKinds} states={states} errors={errors} />
      <div className="mb-3">
        <FilterBar
          label="Search the mail log"
          placeholder="Address, reader, subject or order number"
          noun="email"
          chips={
            errors
              ? []
              : [
                  ...(reader === null ? [] : [{ param: 'readerId', text: `To ${reader}` }]),
                  ...(filterValues.mail ? [{ param: 'mail', text: labelOf(mailKinds, filterValues.mail) }] : []),
                  ...(filterValues.state ? [{ param: 'state', text: labelOf(states, filterValues.state) }] : []),
                  ...(filterValues.from ? [{ param: 'from', text: `From ${filterValues.from}` }] : []),
                  ...(filterValues.to ? [{ param: 'to', text: `To ${filterValues.to}` }] : []),
                ]
          }
        />
      </div>
      <DataTable
        label="Mail log"
        columns={columnsFor(publicationId, timeZone)}
        rows={page.emails}
        rowKey={({ id }) => id}
        sort="-when"
        isLoading={isLoading}
        empty={
          isFiltered || params.has('before') ? (
            <EmptyState title="No email matches your filter" action={<LinkButton to="?">Show all emails</LinkButton>}>
              The search matches the beginning of an address, a subject, or a reader’s name, company, postcode or
              reference, or an order number.
            </EmptyState>
          ) : (
            <EmptyState title="Nothing has been emailed yet">
              Receipts and notices appear here as they are sent.
            </EmptyState>
          )
        }
      />
      <KeysetPagination newer={page.newer} older={page.older} />
    </>
  )
}
