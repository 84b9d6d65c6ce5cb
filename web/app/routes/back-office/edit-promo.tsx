import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { dayOf } from '#core/kernel/calendar.ts'
import { getPromo } from '#core/promos/get-promo.query.ts'
import { updatePromo } from '#core/promos/update-promo.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { PromoForm } from '#web/app/components/promos/promo-form.tsx'
import { promoInput, storedPromoValues } from '#web/app/components/promos/promo-values.ts'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { saveMerged } from '#web/app/http/merge-form.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

export const handle: CrumbHandle<Awaited<ReturnType<typeof loader>>> = {
  crumbs: ({ promo: { publicationId, publicationName } }) => [
    { label: 'Publications', to: '/publications' },
    { label: publicationName, to: `/editpublication/${publicationId}` },
    { label: 'Promo codes', to: `/promocodes/${publicationId}` },
    { label: 'Edit promo code' },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}Edit promo code – Masthead` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'editPromo')
  const promo = await getPromo(ctx, { id: idParam(params.promoId, 'The promo code') })
  return { promo, today: dayOf(ctx.now(), ctx.settings.timeZone), isRefused: wasRefused(context) }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'editPromo')
  const { id, publicationId } = await getPromo(ctx, { id: idParam(params.promoId, 'The promo code') })
  const values = await readForm(request)
  // Without JavaScript the server renders the preview of the code.
  if (values.intent === 'preview') return { values }
  return submit(context, values, async () => {
    await saveMerged(values, {
      read: () => getPromo(ctx, { id }),
      valuesOf: storedPromoValues,
      save: (merged, basedOn) => updatePromo(ctx, { ...promoInput(merged), id, basedOn }),
    })
    return redirectWithToast(context, `/promocodes/${publicationId}`, {
      kind: 'success',
      text: 'Promo Code updated',
    })
  })
}

export default function EditPromo() {
  const { promo, today } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const problem = problemOf(actionData)
  const sent = problem?.values ?? (actionData && 'values' in actionData ? actionData.values : undefined)
  return (
    <>
      <PageHeader title="Edit promo code" note={`${promo.publicationName}: ${promo.code}`} />
      <PromoForm
        key={promo.id}
        values={sent ?? storedPromoValues(promo)}
        problem={problem}
        stored={promo}
        today={today}
        listAddress={`/promocodes/${promo.publicationId}`}
      />
    </>
  )
}
