import type { ActionFunctionArgs } from '@remix-run/node'
import { confirmByLink, startCardByLink } from '#core/charging/renew-by-link.ts'
import { notFound } from '#core/kernel/errors.ts'
import { readForm } from '#web/app/http/form.ts'
import { postOnly } from '#web/app/http/post-only.ts'
import { renewalOfShop } from '#web/app/http/renewal-of-shop.ts'
import { requireShop } from '#web/app/http/require-shop.ts'
import { visitorContext } from '#web/app/http/session.ts'
import { startCard } from '#web/app/http/start-card.ts'

/** Begins to change the card by an emailed link, or to confirm the open payment, for the page's script. */
export async function action({ request, params, context }: ActionFunctionArgs): Promise<Response> {
  const { shop } = await requireShop(request, context, params.urlKey)
  const ctx = visitorContext(context)
  const { key } = params
  const { intent } = await readForm(request)
  return startCard(ctx, async () => {
    await renewalOfShop(ctx, shop, key)
    if (intent !== 'confirm') return startCardByLink(ctx, { key })
    const step = await confirmByLink(ctx, { key })
    if (step?.kind !== 'confirm') throw notFound('This payment')
    return { clientSecret: step.clientSecret, cardReference: step.cardReference }
  })
}

export const loader = postOnly
