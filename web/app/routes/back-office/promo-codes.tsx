import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData, useNavigation, useSubmit } from '@remix-run/react'
import { useState } from 'react'
import { isAppError } from '#core/kernel/errors.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import { deletePromo } from '#core/promos/delete-promo.ts'
import { listPromos } from '#core/promos/list-promos.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { DeletePromoConfirmation, DeletePromoDialog } from '#web/app/components/promos/delete-promo.tsx'
import { PromoCard } from '#web/app/components/promos/promo-card.tsx'
import { AddLink } from '#web/app/components/ui/add-link.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { outdatedForm, readForm } from '#web/app/http/form.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

export const handle: CrumbHandle<Awaited<ReturnType<typeof loader>>> = {
  crumbs: ({ publication: { id, publicationName } }) => [
    { label: 'Publications', to: '/publications' },
    { label: publicationName, to: `/editpublication/${id}` },
    { label: 'Promo codes' },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Promo codes – ${data?.publication.publicationName ?? ''} – Masthead` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'promoCodes')
  const publicationId = idParam(params.publicationId, 'The publication')
  const list = await listPromos(ctx, { publicationId })
  const deleteId = Number(new URL(request.url).searchParams.get('delete'))
  return {
    ...list,
    requestedPromo: list.promos.find(({ id }) => id === deleteId) ?? null,
    appUrl: ctx.settings.appUrl,
  }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'promoCodes')
  const { publication } = await listPromos(ctx, { publicationId: idParam(params.publicationId, 'The publication') })
  const { intent, id } = await readForm(request)
  if (intent !== 'delete') throw outdatedForm()
  const returnTo = `/promocodes/${publication.id}`
  try {
    await deletePromo(ctx, { id })
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'notFound') throw error
    const detail = 'It no longer exists. It may have been deleted in another window.'
    return redirectWithToast(context, returnTo, { kind: 'error', text: 'Promo Code not deleted', detail })
  }
  return redirectWithToast(context, returnTo, { kind: 'success', text: 'Promo Code deleted' })
}

export default function PromoCodes() {
  const { publication, promos, requestedPromo, appUrl } = useLoaderData<typeof loader>()
  const [deleteId, setDeleteId] = useState<number | null>(null)
  const promoToDelete = promos.find(({ id }) => id === deleteId)
  const submit = useSubmit()
  const isPending = useNavigation().formMethod === 'POST'
  const addAddress = `/addpromo/${publication.id}`
  return (
    <>
      <PageHeader
        title={
          <>
            Promo codes <span className="numeric font-normal text-muted">{formatCount(promos.length)}</span>
          </>
        }
        note={publication.publicationName}
        actions={<AddLink to={addAddress}>Add promo code</AddLink>}
      />
      {requestedPromo && <DeletePromoConfirmation promo={requestedPromo} />}
      {promos.length === 0 ? (
        <EmptyState
          title="No Promo Codes found for this Publication"
          action={
            <LinkButton to={addAddress} kind="primary">
              Add promo code
            </LinkButton>
          }
        >
          A promo code takes a percentage off subscriptions. Readers type it in the order form, or follow a link that
          applies it.
        </EmptyState>
      ) : (
        <ul className="grid gap-4 md:grid-cols-2 2xl:grid-cols-3">
          {promos.map((promo) => (
            <PromoCard key={promo.id} promo={promo} appUrl={appUrl} onDelete={() => setDeleteId(promo.id)} />
          ))}
        </ul>
      )}
      {promoToDelete && (
        <DeletePromoDialog
          promo={promoToDelete}
          isPending={isPending}
          onConfirm={() => submit({ intent: 'delete', id: promoToDelete.id }, { method: 'post', replace: true })}
          onCancel={() => setDeleteId(null)}
        />
      )}
    </>
  )
}
