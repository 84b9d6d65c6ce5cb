import type { LoaderFunctionArgs } from '@remix-run/node'
import { makeRenewalLetters } from '#core/mailing/make-renewal-letters.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** The letters of a title's renewal series for a day, as one file. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'downloadRenewalLetters')
  const publicationId = idParam(params.publicationId, 'The publication')
  const query = new URL(request.url).searchParams
  const on = query.get('on') ?? ''
  const layout = query.get('layout') ?? ''
  // A HEAD request generates no letters.
  const asItStands = request.method === 'HEAD'
  return sendDownload(ctx, request, () => makeRenewalLetters(ctx, { publicationId, on, layout, asItStands }))
}
