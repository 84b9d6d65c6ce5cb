import type { LoaderFunctionArgs } from '@remix-run/node'
import { makeRenewalLetters } from '#core/mailing/make-renewal-letters.ts'
import { sendDownload } from '#web/app/http/download.ts'
import { enter } from '#web/app/http/enter.ts'
import { idParam } from '#web/app/http/param-id.ts'

/** The letters of the renewal series of a title, in the file of a day. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await enter(request, context, 'downloadRenewalLetters')
  const publicationId = idParam(params.publicationId, 'The publication')
  const query = new URL(request.url).searchParams
  const [on, layout] = [query.get('on') ?? '', query.get('layout') ?? '']
  // Who only asks for the head makes no letters.
  const asItStands = request.method === 'HEAD'
  return sendDownload(ctx, request, () => makeRenewalLetters(ctx, { publicationId, on, layout, asItStands }))
}
