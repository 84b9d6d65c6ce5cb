import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, Link, useLoaderData, useNavigation } from '@remix-run/react'
import { can } from '#core/access/permissions.ts'
import { dayOf } from '#core/kernel/calendar.ts'
import { formatDay } from '#core/kernel/dates.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { countMailing } from '#core/mailing/count-mailing.query.ts'
import { listLayouts } from '#core/mailing/list-layouts.query.ts'
import { ownPublication } from '#core/publications/own-publication.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { MailingCounts } from '#web/app/components/mailing/mailing-counts.tsx'
import { Button } from '#web/app/components/ui/button.tsx'
import { DownloadLink } from '#web/app/components/ui/download-dialog.tsx'
import { ErrorSummary } from '#web/app/components/ui/error-summary.tsx'
import { Field } from '#web/app/components/ui/field.tsx'
import { Input, Select } from '#web/app/components/ui/inputs.tsx'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

export const handle: CrumbHandle<Awaited<ReturnType<typeof loader>>> = {
  crumbs: ({ publicationName }) => [
    { label: 'Readers', to: '/readers' },
    { label: publicationName },
    { label: 'Mailing file' },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.fields ? 'Error: ' : ''}Mailing file – ${data?.publicationName ?? ''} – Masthead` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'mailingFile')
  const publicationId = idParam(params.publicationId, 'The publication')
  const { publicationName } = await ownPublication(ctx, { id: publicationId })
  const query = new URL(request.url).searchParams
  const input = {
    on: query.get('on') || formatDay(dayOf(ctx.now(), ctx.settings.timeZone)),
    layout: query.get('layout') ?? '',
  }
  const [layouts, result] = await Promise.all([
    listLayouts(ctx, { publicationId }),
    countMailing(ctx, { publicationId, ...input }).then(
      (counts) => ({ counts, fields: null }),
      (error: unknown) => {
        // An invalid day, or a layout that was removed in the meantime, is reported at the form.
        if (isAppError(error) && error.fields) return { counts: null, fields: error.fields }
        if (isAppError(error) && error.kind === 'notFound') return { counts: null, fields: { layout: error.message } }
        throw error
      },
    ),
  ])
  return {
    publicationId,
    publicationName,
    fileQuery: input,
    ...result,
    layouts: layouts.map(({ name, layout }) => ({ name, isSplit: layout.isSplit })),
    mayEdit: can(ctx.actor, 'mailing-layout:write'),
    mayTransfer: can(ctx.actor, 'transfer:write'),
  }
}

const classes = 'inline-flex min-h-10 items-center rounded-input border px-4 py-1 text-body font-medium no-underline'
const primaryClass = `${classes} border-primary bg-primary text-white hover:bg-primary-hover`
const secondaryClass = `${classes} border-control bg-surface text-ink hover:bg-subtle`

const isSameName = (name: string, otherName: string) => name.toLowerCase() === otherName.trim().toLowerCase()

export default function MailingFile() {
  const { publicationId, publicationName, fileQuery, counts, fields, layouts, mayEdit, mayTransfer } =
    useLoaderData<typeof loader>()
  const navigation = useNavigation()
  const address = (file: string, params: Record<string, string> = {}) =>
    `/readers/${publicationId}/${file}?${new URLSearchParams({ ...fileQuery, ...params })}`
  const dialogTitle = 'Downloading Current Mailing File'
  const singleFile = (className: string) => (
    <DownloadLink
      href={address('mailing-file.csv')}
      dialogTitle={dialogTitle}
      about={publicationName}
      className={className}
    >
      Download {countOf(counts?.included ?? 0, 'reader')} for {fileQuery.on}
    </DownloadLink>
  )
  const zip = (className: string) => (
    <DownloadLink
      href={address('mailing-file.zip')}
      dialogTitle={dialogTitle}
      about={publicationName}
      className={className}
    >
      Download a file for each zone (zip)
    </DownloadLink>
  )
  const isSplit = layouts.some(({ name, isSplit }) => isSplit && isSameName(name, fileQuery.layout))
  return (
    <>
      <PageHeader title="Mailing file" note={`${publicationName}: the mailing file for any date and layout.`} />
      <Form method="get" className="card mb-5 flex flex-wrap items-end gap-4 p-4 lg:p-5">
        {fields && (
          <div className="basis-full">
            <ErrorSummary message="Please fix the errors and retry" fields={fields} />
          </div>
        )}
        <Field label="Mailing date" name="on" hint="DD/MM/YYYY" isUnmarked error={fields?.on}>
          {(control) => (
            <Input
              {...control}
              name="on"
              key={fileQuery.on}
              defaultValue={fileQuery.on}
              autoComplete="off"
              className="max-w-40"
            />
          )}
        </Field>
        <div className="min-w-0 grow sm:max-w-72">
          <Field label="Layout" name="layout" isUnmarked error={fields?.layout}>
            {(control) => (
              <Select
                {...control}
                name="layout"
                key={fileQuery.layout}
                defaultValue={fileQuery.layout || layouts[0]?.name}
              >
                {layouts.map(({ name }) => (
                  <option key={name}>{name}</option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <Button type="submit" isPending={navigation.state !== 'idle'}>
          Count
        </Button>
        {mayEdit && (
          <Link to={`/mailinglayouts/${publicationId}`} className="link py-2 text-body">
            Layouts
          </Link>
        )}
        {mayTransfer && (
          <Link to={`/managedata/transfers/${publicationId}`} className="link py-2 text-body">
            Send by SFTP
          </Link>
        )}
      </Form>
      {counts && (
        <>
          <MailingCounts
            counts={counts}
            download={({ zone, label }) => (
              <DownloadLink
                href={address('mailing-file.csv', { zone })}
                dialogTitle={dialogTitle}
                about={`${publicationName}, ${label}`}
                label={`Download ${label}`}
              >
                Download
              </DownloadLink>
            )}
          />
          <div className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-3">
            {/* The download that matches the layout comes first. */}
            {isSplit ? zip(primaryClass) : singleFile(primaryClass)}
            {isSplit ? singleFile(secondaryClass) : zip(secondaryClass)}
            <DownloadLink
              href={address('mailing-counts.csv')}
              dialogTitle="Downloading counts sheet"
              about={publicationName}
              className="link text-body"
            >
              Download the counts sheet
            </DownloadLink>
          </div>
          <p className="mt-2 text-table text-muted">
            The zip also contains the counts sheet, with the hash of each file.
          </p>
        </>
      )}
    </>
  )
}
