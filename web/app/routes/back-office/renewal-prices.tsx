import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { isAppError } from '#core/kernel/errors.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { readerHome } from '#core/readers/reader-home.query.ts'
import {
  changeRenewalPrice,
  previewRenewalPrice,
  type RenewalPricePreview,
  withdrawRenewalPrice,
} from '#core/renewals/change-renewal-price.ts'
import { renewalPrices } from '#core/renewals/renewal-prices.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { PriceChanges } from '#web/app/components/renewals/price-changes.tsx'
import { PriceForm } from '#web/app/components/renewals/price-form.tsx'
import { PricePreview } from '#web/app/components/renewals/price-preview.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { PublicationChoice } from '#web/app/components/ui/publication-choice.tsx'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

const title = 'Renewal prices'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Renewals', to: '/renewals' }, { label: title }] }

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}${title} – Masthead` },
]

/** The fields of the form, which are also the parameters of a preview's address. */
const fields = ['plan', 'cohort', 'before', 'oldPrice', 'newPrice', 'effectiveOn'] as const

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'renewalPrices')
  const params = new URL(request.url).searchParams
  const publications = (await readerHome(ctx, {})).map(({ id, publicationName }) => ({ id, publicationName }))
  const publicationId = Number(params.get('publication') || publications[0]?.id) || null
  const query = Object.fromEntries(fields.map((name) => [name, params.get(name) ?? '']))
  const page = { publications, publicationId, query, isRefused: wasRefused(context) }
  if (publicationId === null) return { ...page, plans: [], changes: [], isTruncated: false, preview: null }
  const { plans, changes, isTruncated } = await renewalPrices(ctx, { publicationId })
  let preview: RenewalPricePreview | null = null
  if (params.has('plan')) {
    // The address may be that of an earlier preview: if its values are no longer valid, only the form is shown.
    preview = await previewRenewalPrice(ctx, { publicationId, ...query }).catch((error: unknown) => {
      if (!isAppError(error) || error.kind !== 'invalid') throw error
      return null
    })
  }
  return { ...page, plans, changes, isTruncated, preview }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'renewalPrices')
  const values = await readForm(request)
  const { intent, publicationId = '' } = values
  const returnParams = new URLSearchParams({ publication: publicationId })
  const redirectBack = (text: string) =>
    redirectWithToast(context, `/renewals/prices?${returnParams}`, { kind: 'success', text })
  return submit(context, values, async () => {
    if (intent === 'withdraw') {
      const { wasOpen } = await withdrawRenewalPrice(ctx, { id: values.id })
      return redirectBack(
        wasOpen ? 'New price withdrawn. Prices that were already announced still apply.' : 'It was already withdrawn',
      )
    }
    if (intent === 'confirm') {
      const { agreements } = await changeRenewalPrice(ctx, values)
      return redirectBack(`New price set for ${countOf(agreements, 'agreement')}`)
    }
    await previewRenewalPrice(ctx, values)
    for (const name of fields) returnParams.set(name, values[name] ?? '')
    return redirect(`/renewals/prices?${returnParams}#preview`)
  })
}

export default function RenewalPricesPage() {
  const { publications, publicationId, query, plans, changes, isTruncated, preview } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  return (
    <>
      <PageHeader
        title={title}
        note="Renewals are charged at the agreed price, whatever the storefront’s price is now. Here you set a new price for them: each reader is notified by email before it is charged."
        actions={<PublicationChoice publications={publications} chosen={publicationId} />}
      />
      {publicationId === null || (plans.length === 0 && changes.length === 0) ? (
        <EmptyState title="Nothing renews automatically">
          Once a reader buys a plan of this title that renews, its price for the next terms can be changed here.
        </EmptyState>
      ) : (
        <div className="space-y-6">
          {changes.length > 0 && (
            <PriceChanges changes={changes} isTruncated={isTruncated} publicationId={publicationId} problem={problem} />
          )}
          {plans.length > 0 && (
            <PriceForm
              key={`${publicationId} ${changes.length}`}
              publicationId={publicationId}
              plans={plans}
              query={query}
              problem={problem}
              hasPreview={preview !== null && preview.agreements > 0}
            />
          )}
          {preview && <PricePreview key={JSON.stringify(query)} preview={preview} query={query} problem={problem} />}
        </div>
      )}
    </>
  )
}
