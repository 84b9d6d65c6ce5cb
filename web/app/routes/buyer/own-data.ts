import type { LoaderFunctionArgs } from '@remix-run/node'
import { downloadOwnData } from '#core/buyers/download-own-data.ts'
import { download } from '#web/app/http/download.ts'
import { enterAccount } from '#web/app/http/enter-shop.ts'

/** Everything that is held about the reader who is logged in, as a file, written while it is sent. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx } = await enterAccount(request, context, params.urlKey)
  const file = await downloadOwnData(ctx, {})
  return download(request, file.fileName, file.chunks, 'application/json; charset=utf-8')
}
