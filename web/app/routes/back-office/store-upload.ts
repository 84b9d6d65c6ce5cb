import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { z } from 'zod'
import { importModes, importTargets } from '#core/imports/import-modes.rules.ts'
import { uploadPlace } from '#core/imports/upload-place.query.ts'
import { errorKinds, isAppError } from '#core/kernel/errors.ts'
import { enter } from '#web/app/http/enter.ts'
import { listParams } from '#web/app/http/list-params.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { fileProblem, takeFile } from '#web/app/http/upload-form.ts'

const UploadQuery = z.object({ mode: z.enum(importModes).catch('add'), target: z.enum(importTargets).catch('all') })

/** How large a file may be, for whoever asks before sending one. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await enter(request, context, 'upload')
  await uploadPlace(ctx, { publicationId: idParam(params.publicationId, 'The publication') })
  return Response.json({ maxBytes: ctx.settings.uploadMaxBytes })
}

/** Where a script sends a reader file, so that it can show how far that is: answers with the page to go on to, or with what is wrong. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await enter(request, context, 'upload')
  const input = {
    publicationId: idParam(params.publicationId, 'The publication'),
    ...UploadQuery.parse(listParams(request)),
  }
  try {
    return Response.json({ to: await takeFile(ctx, request, input) })
  } catch (error) {
    const problem = fileProblem(error)
    if (!problem || !isAppError(error)) throw error
    return Response.json({ problem }, { status: errorKinds[error.kind].status })
  }
}
