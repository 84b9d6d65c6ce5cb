import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { saveDraft } from '#web/app/http/handle-wizard-form.ts'
import { loadWizard } from '#web/app/http/publication-wizard.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** Returns when the draft of a new publication was last saved. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const ctx = await requireScreen(request, context, 'addPublication')
  const { savedAt } = await loadWizard(ctx, request, 0, undefined)
  return Response.json({ savedAt }, { headers: { 'Cache-Control': 'no-store' } })
}

/** Autosaves a draft. The page calls it with fetch: the router would revalidate the page, or abort the request on navigation. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const ctx = await requireScreen(request, context, 'addPublication')
  const { publicationId, step } = await saveDraft(request, ctx)
  const { savedAt } = await loadWizard(ctx, request, publicationId, step)
  return Response.json({ savedAt })
}
