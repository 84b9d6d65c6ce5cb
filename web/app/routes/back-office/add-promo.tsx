import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { dayOf } from '#core/kernel/calendar.ts'
import { createPromo } from '#core/promos/create-promo.ts'
import { ownPublication } from '#core/publications/own-publication.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { PromoForm } from '#web/app/components/promos/promo-form.tsx'
import { newPromoValues, promoInput } from '#web/app/components/promos/promo-values.ts'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

export const handle: CrumbHandle<Awaited<ReturnType<typeof loader>>> = {
  crumbs: ({ publication: { id, publicationName } }) => [
    { label: 'Publications', to: '/publications' },
    { label: publicationName, to: `/editpublication/${id}` },
    { label: 'Promo codes', to: `/promocodes/${id}` },
    { label: 'Add promo code' },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}Add promo code – Masthead` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'addPromo')
  const { id, publicationName } = await ownPublication(ctx, { id: idParam(params.publicationId, 'The publication') })
  return {
    publication: { id, publicationName },
    today: dayOf(ctx.now(), ctx.settings.timeZone),
    isRefused: wasRefused(context),
  }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'addPromo')
  const publication = await ownPublication(ctx, { id: idParam(params.publicationId, 'The publication') })
  const values = await readForm(request)
  // Without JavaScript the server renders the preview of the code.
  if (values.intent === 'preview') return { values }
  return submit(context, values, async () => {
    await createPromo(ctx, { ...promoInput(values), publicationId: publication.id })
    return redirectWithToast(context, `/promocodes/${publication.id}`, {
      kind: 'success',
      text: 'New Promo Code added',
    })
  })
}

export default function AddPromo() {
  const { publication, today } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const problem = problemOf(actionData)
  const sent = problem?.values ?? (actionData && 'values' in actionData ? actionData.values : undefined)
  return (
    <>
      <PageHeader title="Add promo code" note={publication.publicationName} />
      <PromoForm
        values={sent ?? newPromoValues()}
        problem={problem}
        stored={null}
        today={today}
        listAddress={`/promocodes/${publication.id}`}
      />
    </>
  )
}
