import type { AppLoadContext } from '@remix-run/node'
import type { AppContext } from '#core/context.ts'
import { makeExample } from '#core/first-run/make-example.ts'
import { redirectWithToast } from './toast.ts'

/** Creates the example title unless it exists, and redirects to its card. */
export async function addExample(ctx: AppContext, context: AppLoadContext): Promise<Response> {
  const { publicationName, isNew, id } = await makeExample(ctx, {})
  return redirectWithToast(context, '/publications', {
    kind: 'success',
    text: isNew ? `'${publicationName}' was added` : `'${publicationName}' already exists`,
    detail: 'Change whatever you like: nobody else can see it, and “Remove example” deletes all of it.',
    action: { label: 'Preview it', to: `/publications/${id}/preview` },
  })
}
