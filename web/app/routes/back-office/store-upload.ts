import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { z } from 'zod'
import { getUploadTarget } from '#core/imports/get-upload-target.query.ts'
import { importModes, importTargets } from '#core/imports/import-modes.rules.ts'
import { errorKinds, isAppError } from '#core/kernel/errors.ts'
import { listParams } from '#web/app/http/list-params.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { fileProblem, receiveReaderFile } from '#web/app/http/upload-form.ts'

const UploadQuery = z.object({ mode: z.enum(importModes).catch('add'), target: z.enum(importTargets).catch('all') })

/** The size limit of the file, for clients that ask before uploading. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'upload')
  await getUploadTarget(ctx, { publicationId: idParam(params.publicationId, 'The publication') })
  return Response.json({ maxBytes: ctx.settings.uploadMaxBytes })
}

/** Receives a reader file uploaded by script, with progress: returns the next page's address, or an error. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'upload')
  const input = {
    publicationId: idParam(params.publicationId, 'The publication'),
    ...UploadQuery.parse(listParams(request)),
  }
  try {
    return Response.json({ to: await receiveReaderFile(ctx, request, input) })
  } catch (error) {
    const problem = fileProblem(context, error)
    if (!problem || !isAppError(error)) throw error
    return Response.json({ problem }, { status: errorKinds[error.kind].status })
  }
}
