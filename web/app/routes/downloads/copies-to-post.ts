import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportCopiesToPost } from '#core/orders/copies-to-post.query.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** Back-issue orders that are not posted yet, as a CSV for the mail room. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'downloadCopiesToPost')
  return sendDownload(ctx, request, () => exportCopiesToPost(ctx, {}))
}
