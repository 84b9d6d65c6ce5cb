import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { errorKinds, isAppError } from '#core/kernel/errors.ts'
import { reportRefused } from '#web/app/components/uploads/upload-words.ts'
import { enter } from '#web/app/http/enter.ts'
import { takeReport } from '#web/app/http/report-form.ts'
import { fileProblem } from '#web/app/http/upload-form.ts'

/** How large a report may be, for whoever asks before sending one. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await enter(request, context, 'reconcile')
  return Response.json({ maxBytes: ctx.settings.uploadMaxBytes })
}

/** Where a script sends a report, so that it can show how far that is: answers with the page to go on to, or with what is wrong. */
export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await enter(request, context, 'reconcile')
  try {
    return Response.json({ to: await takeReport(ctx, request) })
  } catch (error) {
    const problem = fileProblem(error, reportRefused)
    if (!problem || !isAppError(error)) throw error
    return Response.json({ problem }, { status: errorKinds[error.kind].status })
  }
}
