import type { LoaderFunctionArgs } from '@remix-run/node'
import { isAppError } from '#core/kernel/errors.ts'
import { checkHandle } from '#core/publications/check-handle.query.ts'
import type { HandleCheckResult } from '#web/app/components/publications/handle-field.tsx'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** Whether a handle is available, for the field, which checks when it is left. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const ctx = await requireScreen(request, context, 'addPublication')
  const urlKey = new URL(request.url).searchParams.get('urlKey') ?? ''
  try {
    await checkHandle(ctx, { urlKey })
    return answer({ urlKey, problem: null })
  } catch (error) {
    if (isAppError(error) && error.fields?.urlKey) return answer({ urlKey, problem: error.fields.urlKey })
    throw error
  }
}

function answer(result: HandleCheckResult): Response {
  return Response.json(result, { headers: { 'Cache-Control': 'no-store' } })
}
