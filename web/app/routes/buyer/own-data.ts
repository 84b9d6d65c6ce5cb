import type { LoaderFunctionArgs } from '@remix-run/node'
import { downloadOwnData } from '#core/buyers/download-own-data.ts'
import { download } from '#web/app/http/download.ts'
import { requireAccount } from '#web/app/http/require-shop.ts'

/** All data stored about the logged-in buyer (GDPR), streamed as a file. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  // After a log-in the buyer goes to the account, because the download alone would leave an empty page.
  const { ctx } = await requireAccount(request, context, params.urlKey, `/${params.urlKey}/account`)
  const file = await downloadOwnData(ctx, {})
  return download(request, file.fileName, file.chunks, 'application/json; charset=utf-8')
}
