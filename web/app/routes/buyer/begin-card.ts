import type { ActionFunctionArgs } from '@remix-run/node'
import { startCardUpdate } from '#core/payments/start-card-update.ts'
import { readForm } from '#web/app/http/form.ts'
import { postOnly } from '#web/app/http/post-only.ts'
import { requireAccount } from '#web/app/http/require-shop.ts'
import { startCard } from '#web/app/http/start-card.ts'

/** Begins to change the card of a renewal, for the page's script. */
export async function action({ request, params, context }: ActionFunctionArgs): Promise<Response> {
  const { ctx } = await requireAccount(request, context, params.urlKey)
  return startCard(ctx, async () => startCardUpdate(ctx, await readForm(request)))
}

export const loader = postOnly
