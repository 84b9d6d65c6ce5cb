import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { cancelDownload } from '#core/downloads/cancel-download.ts'
import { downloadProgress } from '#core/downloads/download-progress.query.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

const headers = { 'Cache-Control': 'no-store' }

/** The progress of a download, for the dialog that polls it. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const ctx = await requireScreen(request, context, 'downloadProgress')
  return Response.json(await downloadProgress(ctx, { token: tokenOf(request) }), { headers })
}

/** Cancels the download. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const ctx = await requireScreen(request, context, 'downloadProgress')
  await cancelDownload(ctx, { token: tokenOf(request) })
  return Response.json({}, { headers })
}

function tokenOf(request: Request): string {
  return new URL(request.url).searchParams.get('token') ?? ''
}
