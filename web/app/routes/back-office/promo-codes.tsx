import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData, useNavigation, useSubmit } from '@remix-run/react'
import { useState } from 'react'
import type { AppContext } from '#core/context.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import { deletePromo } from '#core/promos/delete-promo.ts'
import { getPromo } from '#core/promos/get-promo.query.ts'
import { searchPromos } from '#core/promos/list-promos.query.ts'
import { ownPublication } from '#core/publications/own-publication.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { DeletePromoConfirmation, DeletePromoDialog } from '#web/app/components/promos/delete-promo.tsx'
import { PromoCard } from '#web/app/components/promos/promo-card.tsx'
import { AddLink } from '#web/app/components/ui/add-link.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { FilterBar } from '#web/app/components/ui/filter-bar.tsx'
import { Pagination } from '#web/app/components/ui/pagination.tsx'
import { outdatedForm, readForm } from '#web/app/http/form.ts'
import { existingPage, searchParams } from '#web/app/http/list-params.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'
import { ownAddress } from '#web/app/http/user-actions.ts'

export const handle: CrumbHandle<Awaited<ReturnType<typeof loader>>> = {
  crumbs: ({
    page: {
      publication: { id, publicationName },
    },
  }) => [
    { label: 'Publications', to: '/publications' },
    { label: publicationName, to: `/editpublication/${id}` },
    { label: 'Promo codes' },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Promo codes – ${data?.page.publication.publicationName ?? ''} – Masthead` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'promoCodes')
  const publicationId = idParam(params.publicationId, 'The publication')
  const { delete: deleteId, ...query } = searchParams(request)
  return {
    page: existingPage(request, await searchPromos(ctx, { size: '25', ...query, publicationId })),
    requestedPromo: await promoToConfirm(ctx, publicationId, Number(deleteId)),
    appUrl: ctx.settings.appUrl,
  }
}

/** The promo code whose deletion is to be confirmed on the page; null if there is none, or it no longer exists. */
async function promoToConfirm(ctx: AppContext, publicationId: number, id: number) {
  if (!Number.isInteger(id)) return null
  const promo = await getPromo(ctx, { id }).catch((error: unknown) => {
    if (isAppError(error) && error.kind === 'notFound') return null
    throw error
  })
  return promo?.publicationId === publicationId ? promo : null
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'promoCodes')
  await ownPublication(ctx, { id: idParam(params.publicationId, 'The publication') })
  const { intent, id } = await readForm(request)
  if (intent !== 'delete') throw outdatedForm()
  // With the search and the page of the list.
  const returnTo = ownAddress(request)
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
  const { page, requestedPromo, appUrl } = useLoaderData<typeof loader>()
  const { publication } = page
  const [deleteId, setDeleteId] = useState<number | null>(null)
  const promoToDelete = page.rows.find(({ id }) => id === deleteId)
  const submit = useSubmit()
  const isPending = useNavigation().formMethod === 'POST'
  const addAddress = `/addpromo/${publication.id}`
  return (
    <>
      <PageHeader
        title={
          <>
            Promo codes <span className="numeric font-normal text-muted">{formatCount(page.all)}</span>
          </>
        }
        note={publication.publicationName}
        actions={<AddLink to={addAddress}>Add promo code</AddLink>}
      />
      {requestedPromo && <DeletePromoConfirmation promo={requestedPromo} />}
      {page.all === 0 ? (
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
        <>
          <div className="mb-4">
            <FilterBar
              label="Filter promo codes"
              placeholder="Name or code"
              noun="promo code"
              total={page.total}
              all={page.all}
            />
          </div>
          {page.total === 0 ? (
            <EmptyState
              title="No promo code matches your filter"
              action={<LinkButton to="?">Show all promo codes</LinkButton>}
            >
              Try a part of the name or of the code.
            </EmptyState>
          ) : (
            <ul className="grid gap-4 md:grid-cols-2 2xl:grid-cols-3">
              {page.rows.map((promo) => (
                <PromoCard key={promo.id} promo={promo} appUrl={appUrl} onDelete={() => setDeleteId(promo.id)} />
              ))}
            </ul>
          )}
          <Pagination {...page} noun="promo code" />
        </>
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
