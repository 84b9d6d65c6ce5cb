import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { errorKinds, isAppError } from '#core/kernel/errors.ts'
import { getPostcodes } from '#core/postcode-files/get-postcodes.query.ts'
import { postcodesRefused } from '#web/app/components/uploads/upload-texts.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { receivePostcodes } from '#web/app/http/postcode-form.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { fileProblem } from '#web/app/http/upload-form.ts'

/** The size limit of the file, for clients that ask before uploading. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'uploadPostcodes')
  await getPostcodes(ctx, { publicationId: idParam(params.publicationId, 'The publication') })
  return Response.json({ maxBytes: ctx.settings.uploadMaxBytes })
}

/** Receives a postcode file uploaded by script, with progress: returns the next page's address, or an error. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'uploadPostcodes')
  const publicationId = idParam(params.publicationId, 'The publication')
  try {
    return Response.json({ to: await receivePostcodes(ctx, request, publicationId) })
  } catch (error) {
    const problem = fileProblem(context, error, postcodesRefused)
    if (!problem || !isAppError(error)) throw error
    return Response.json({ problem }, { status: errorKinds[error.kind].status })
  }
}
