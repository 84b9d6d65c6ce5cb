import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportSchedule } from '#core/ledger/export-schedule.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { scheduleQuery } from '#web/app/http/schedule-query.ts'

/** The deferred revenue schedule, by title and product. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'downloadSchedule')
  return sendDownload(ctx, request, () => exportSchedule(ctx, scheduleQuery(request)))
}
