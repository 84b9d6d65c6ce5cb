import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getUpload } from '#core/imports/get-upload.query.ts'
import { getUploadTarget } from '#core/imports/get-upload-target.query.ts'
import type { ImportMode } from '#core/imports/import-modes.rules.ts'
import type { UploadView } from '#core/imports/upload-view.ts'
import { errorKinds, isAppError } from '#core/kernel/errors.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { useFocusOnView } from '#web/app/components/ui/focus.ts'
import { Stepper } from '#web/app/components/ui/stepper.tsx'
import { useLastActionData } from '#web/app/components/ui/use-last-action-data.ts'
import { ChooseFile } from '#web/app/components/uploads/choose-file.tsx'
import { ChooseEncoding, FileFormat } from '#web/app/components/uploads/file-format.tsx'
import { MapColumns } from '#web/app/components/uploads/map-columns.tsx'
import { UploadPreview } from '#web/app/components/uploads/upload-preview.tsx'
import { UploadProgress, useUploadPolling } from '#web/app/components/uploads/upload-progress.tsx'
import { UploadReport } from '#web/app/components/uploads/upload-report.tsx'
import { explanationOf, titleOf } from '#web/app/components/uploads/upload-texts.ts'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { listParams } from '#web/app/http/list-params.ts'
import { isMultipart } from '#web/app/http/multipart.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { fileProblem, handleUploadForm, receiveReaderFile, type UploadTarget } from '#web/app/http/upload-form.ts'

export const handle: CrumbHandle<Awaited<ReturnType<typeof loader>>> = {
  crumbs: ({ place, target }) => [
    { label: 'Manage Data', to: `/managedata?publication=${place.publicationId}` },
    { label: place.publicationName },
    { label: titleOf(target) },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [
  {
    title: page
      ? `${page.isRefused ? 'Error: ' : ''}${titleOf(page.target)} – ${page.place.publicationName} – Masthead`
      : 'Upload – Masthead',
  },
]

const modes: Record<string, ImportMode> = {
  uploadadditional: 'add',
  uploadaddandcombine: 'combine',
  uploadreplacement: 'replace',
}

function targetOf(request: Request, publicationId: string | undefined): UploadTarget {
  const { pathname, searchParams } = new URL(request.url)
  const mode = modes[pathname.split('/')[1]?.toLowerCase() ?? ''] ?? 'add'
  const target = mode === 'replace' && searchParams.get('target') === 'imported' ? 'imported' : 'all'
  return { publicationId: idParam(publicationId, 'The publication'), mode, target }
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'upload')
  const target = targetOf(request, params.publicationId)
  const place = await getUploadTarget(ctx, { publicationId: target.publicationId })
  const { upload: uploadId, columns, confirm } = listParams(request)
  const upload = uploadId
    ? await getUpload(ctx, { uploadId: idParam(uploadId, 'The upload'), publicationId: target.publicationId })
    : null
  const isOther = (other: { mode: string; target: string }) =>
    other.mode !== target.mode || other.target !== target.target
  if (upload && isOther(upload)) throw redirect(upload.page)
  // A user who comes back sees the running upload.
  if (!upload && place.open && !isOther(place.open)) throw redirect(place.open.page)
  return {
    target,
    place,
    upload,
    isChangingColumns: columns === 'change',
    isConfirming: confirm === 'ask',
    timeZone: ctx.settings.timeZone,
    isRefused: wasRefused(context),
  }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'upload')
  const target = targetOf(request, params.publicationId)
  if (!isMultipart(request.headers.get('content-type') ?? '')) {
    // Authorises the publication before validating the request.
    await getUploadTarget(ctx, { publicationId: target.publicationId })
    const uploadId = idParam(listParams(request).upload, 'The upload')
    const values = await readForm(request)
    return submit(context, values, () => handleUploadForm(ctx, context, { target, uploadId, values }))
  }
  try {
    return redirect(await receiveReaderFile(ctx, request, target))
  } catch (error) {
    const problem = fileProblem(context, error)
    if (!problem || !isAppError(error)) throw error
    context.memo.set('refused', true)
    return data({ problem }, { status: errorKinds[error.kind].status })
  }
}

const steps = ['Choose a file', 'Match columns', 'Preview', 'Import', 'Result']

function stepOf(upload: UploadView | null, isChangingColumns: boolean): number {
  if (!upload) return 0
  if (upload.state === 'stored' || (isChangingColumns && canChange(upload))) return 1
  if (upload.state === 'checking' || upload.state === 'checked') return 2
  return ['waiting', 'running', 'interrupted'].includes(upload.state) ? 3 : 4
}

/** The states shown with a progress bar. */
const runningStates: readonly UploadView['state'][] = [
  'checking',
  'waiting',
  'running',
  'interrupted',
  'undoing',
  'undo-interrupted',
]

function canChange({ state, columns }: UploadView): boolean {
  return columns.length > 0 && (state === 'checked' || state === 'failed')
}

/** The encoding must be chosen before the columns can be mapped. */
function isDoubtful({ state, doubt }: UploadView): boolean {
  return state === 'stored' && doubt !== null
}

export default function Upload() {
  const { target, place, upload, isChangingColumns, isConfirming, timeZone } = useLoaderData<typeof loader>()
  const problem = problemOf(useLastActionData<typeof action>())
  const step = stepOf(upload, isChangingColumns)
  useUploadPolling(upload)
  useFocusOnView(`${step} ${upload?.state ?? ''}`)
  const query = `?${target.target === 'imported' ? 'target=imported&' : ''}`
  const chooseAgain = query === '?' ? '?' : query.slice(0, -1)
  return (
    <>
      <PageHeader title={titleOf(target)} note={place.publicationName} />
      <Stepper current={step} steps={steps.map((title, index) => ({ title, to: null, isDone: index < step }))} />
      {!upload && (
        <ChooseFile
          explanation={explanationOf(target)}
          template={{ href: '/assets/templates/reader-upload-template.csv', text: 'Download the CSV template' }}
          hint="Separated by commas, semicolons, tabs or vertical bars, with the column names in the first line. In Excel: Save As, “CSV UTF-8”."
          sendTo={`/managedata/readers/${target.publicationId}/file?mode=${target.mode}&target=${target.target}`}
          maxBytes={place.maxBytes}
          problem={problem}
          open={
            place.open && {
              text: `The upload of “${place.open.fileName}” is not finished`,
              page: place.open.page,
            }
          }
          backTo={`/managedata?publication=${target.publicationId}`}
        />
      )}
      {upload && isDoubtful(upload) && <ChooseEncoding key={upload.id} upload={upload} problem={problem} />}
      {upload && step === 1 && !isDoubtful(upload) && (
        <MapColumns
          key={upload.id}
          columns={upload.columns}
          mappedBy={upload.mappedBy}
          mode={upload.mode}
          problem={problem}
        />
      )}
      {upload?.state === 'checked' && step === 2 && (
        <>
          <UploadPreview upload={upload} timeZone={timeZone} problem={problem} isConfirming={isConfirming} />
          <FileFormat key={upload.id} upload={upload} problem={undefined} />
        </>
      )}
      {upload && problem && (step === 4 || runningStates.includes(upload.state)) && (
        <div className="mb-5">
          <Banner tone="danger" title={problem.message} isAlert>
            {problem.hint}
          </Banner>
        </div>
      )}
      {upload && runningStates.includes(upload.state) && <UploadProgress upload={upload} />}
      {upload && step === 4 && !runningStates.includes(upload.state) && (
        <UploadReport upload={upload} chooseAgain={chooseAgain} />
      )}
    </>
  )
}
