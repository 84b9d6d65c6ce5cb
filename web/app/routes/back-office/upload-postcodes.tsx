import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { errorKinds, isAppError } from '#core/kernel/errors.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { getPostcodes } from '#core/postcode-files/get-postcodes.query.ts'
import { removePostcodes } from '#core/postcode-files/remove-postcodes.ts'
import { listHandles } from '#core/publications/list-handles.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { PostcodeProgress, PostcodesInUse } from '#web/app/components/postcodes/postcode-state.tsx'
import { useNewPostcodes } from '#web/app/components/postcodes/use-new-postcodes.ts'
import { NoPublications } from '#web/app/components/publications/no-publications.tsx'
import { useFocusOnView } from '#web/app/components/ui/focus.ts'
import { PublicationChoice } from '#web/app/components/ui/publication-choice.tsx'
import { ChooseFile } from '#web/app/components/uploads/choose-file.tsx'
import { postcodesRefused, postcodesUploaded } from '#web/app/components/uploads/upload-texts.ts'
import { outdatedForm, readForm, wasRefused } from '#web/app/http/form.ts'
import { listParams } from '#web/app/http/list-params.ts'
import { isMultipart } from '#web/app/http/multipart.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { receivePostcodes } from '#web/app/http/postcode-form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'
import { fileProblem } from '#web/app/http/upload-form.ts'

export const handle: CrumbHandle = {
  crumbs: () => [{ label: 'Manage Data', to: '/managedata' }, { label: 'Upload postcodes' }],
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [
  { title: `${page?.isRefused ? 'Error: ' : ''}Upload postcodes – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'uploadPostcodes')
  const publications = await listHandles(ctx, {})
  const { publication: requested } = listParams(request)
  const publicationId = requested ? idParam(requested, 'The publication') : publications[0]?.id
  return {
    publications,
    postcodes: publicationId === undefined ? null : await getPostcodes(ctx, { publicationId }),
    maxBytes: ctx.settings.uploadMaxBytes,
    timeZone: ctx.settings.timeZone,
    isRefused: wasRefused(context),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'uploadPostcodes')
  const publicationId = idParam(listParams(request).publication, 'The publication')
  const returnTo = `/uploadpostcodes?publication=${publicationId}`
  if (!isMultipart(request.headers.get('content-type') ?? '')) {
    await getPostcodes(ctx, { publicationId })
    const { intent } = await readForm(request)
    if (intent !== 'remove') throw outdatedForm()
    const { codes } = await removePostcodes(ctx, { publicationId })
    return redirectWithToast(context, returnTo, { kind: 'success', text: `${countOf(codes, 'postcode')} removed` })
  }
  try {
    return redirectWithToast(context, await receivePostcodes(ctx, request, publicationId), {
      kind: 'success',
      text: postcodesUploaded,
    })
  } catch (error) {
    const problem = fileProblem(context, error, postcodesRefused)
    if (!problem || !isAppError(error)) throw error
    context.memo.set('refused', true)
    return data({ problem }, { status: errorKinds[error.kind].status })
  }
}

export default function UploadPostcodes() {
  const { publications, postcodes, maxBytes, timeZone } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  const isBusy = postcodes?.latest ? ['waiting', 'running', 'checking'].includes(postcodes.latest.state) : false
  useFocusOnView(`${postcodes?.latest?.id ?? 0} ${isBusy}`)
  useNewPostcodes(postcodes?.publicationId ?? 0, postcodes?.latest ?? null, isBusy, postcodesUploaded)
  return (
    <>
      <PageHeader
        title="Upload postcodes"
        note="A file of valid postcodes, such as the one from Royal Mail or the Office for National Statistics. UK readers whose postcode is not in it get a warning."
        actions={postcodes && <PublicationChoice publications={publications} chosen={postcodes.publicationId} />}
      />
      {postcodes === null ? (
        <NoPublications />
      ) : (
        <div className="space-y-5">
          {postcodes.latest && <PostcodeProgress file={postcodes.latest} />}
          {postcodes.live && !isBusy && <PostcodesInUse file={postcodes.live} timeZone={timeZone} />}
          {!isBusy && (
            <ChooseFile
              key={`${postcodes.publicationId} ${postcodes.latest?.id ?? 0}`}
              explanation={`For ${postcodes.publicationName}. One postcode per line, or a file with a column such as PostCode or pcds. A new file replaces the previous one.`}
              template={{
                href: '/assets/templates/postcode-upload-template.csv',
                text: 'Download the postcode template',
              }}
              hint="A national file of two million rows is fine."
              sendTo={`/managedata/postcodes/${postcodes.publicationId}/file`}
              postTo={`/uploadpostcodes?publication=${postcodes.publicationId}`}
              maxBytes={maxBytes}
              problem={problem}
              open={null}
              backTo={`/managedata?publication=${postcodes.publicationId}`}
            />
          )}
        </div>
      )}
    </>
  )
}
