import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { errorKinds, isAppError } from '#core/kernel/errors.ts'
import { getPostcodes } from '#core/postcode-files/get-postcodes.query.ts'
import { postcodesRefused } from '#web/app/components/uploads/upload-words.ts'
import { enter } from '#web/app/http/enter.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { takePostcodes } from '#web/app/http/postcode-form.ts'
import { fileProblem } from '#web/app/http/upload-form.ts'

/** How large a file may be, for whoever asks before sending one. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await enter(request, context, 'uploadPostcodes')
  await getPostcodes(ctx, { publicationId: idParam(params.publicationId, 'The publication') })
  return Response.json({ maxBytes: ctx.settings.uploadMaxBytes })
}

/** Where a script sends a postcode file, so that it can show how far that is: answers with the page to go on to, or with what is wrong. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await enter(request, context, 'uploadPostcodes')
  const publicationId = idParam(params.publicationId, 'The publication')
  try {
    return Response.json({ to: await takePostcodes(ctx, request, publicationId) })
  } catch (error) {
    const problem = fileProblem(error, postcodesRefused)
    if (!problem || !isAppError(error)) throw error
    return Response.json({ problem }, { status: errorKinds[error.kind].status })
  }
}
