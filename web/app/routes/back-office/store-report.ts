import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { errorKinds, isAppError } from '#core/kernel/errors.ts'
import { reportRefused } from '#web/app/components/uploads/upload-texts.ts'
import { receiveReport } from '#web/app/http/report-form.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { fileProblem } from '#web/app/http/upload-form.ts'

/** The size limit of a report, for clients that ask before uploading. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'reconcile')
  return Response.json({ maxBytes: ctx.settings.uploadMaxBytes })
}

/** Receives a report uploaded by script, with progress: returns the next page's address, or an error. */
export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'reconcile')
  try {
    return Response.json({ to: await receiveReport(ctx, request) })
  } catch (error) {
    const problem = fileProblem(context, error, reportRefused)
    if (!problem || !isAppError(error)) throw error
    return Response.json({ problem }, { status: errorKinds[error.kind].status })
  }
}
