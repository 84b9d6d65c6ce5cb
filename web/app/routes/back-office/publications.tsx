import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData, useNavigation, useSubmit } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { removeExample } from '#core/first-run/remove-example.ts'
import { AppError, isAppError } from '#core/kernel/errors.ts'
import { getTitleQuota } from '#core/publications/get-title-quota.query.ts'
import { listPublications } from '#core/publications/list-publications.query.ts'
import { listRemovedPublications } from '#core/publications/list-removed-publications.query.ts'
import { removePublication } from '#core/publications/remove-publication.ts'
import { restorePublication } from '#core/publications/restore-publication.ts'
import { ExampleButton } from '#web/app/components/first-run/example-button.tsx'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { PublicationCard } from '#web/app/components/publications/publication-card.tsx'
import { RemovalPanel, RemovalText } from '#web/app/components/publications/removal.tsx'
import { RemovedPublications } from '#web/app/components/publications/removed-publications.tsx'
import { AddLink } from '#web/app/components/ui/add-link.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { ConfirmDialog } from '#web/app/components/ui/dialog.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { addExample } from '#web/app/http/example.ts'
import { readForm } from '#web/app/http/form.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { dropStorefront } from '#web/app/http/storefront-data.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Publications' }] }

export const meta: MetaFunction = () => [{ title: 'Publications – Masthead' }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'publications')
  const [publications, removed, quota] = await Promise.all([
    listPublications(ctx, {}),
    listRemovedPublications(ctx, {}),
    getTitleQuota(ctx, {}),
  ])
  const removeId = Number(new URL(request.url).searchParams.get('remove'))
  return {
    publications,
    removed,
    quota,
    toRemove: publications.find(({ id }) => id === removeId) ?? null,
    timeZone: ctx.settings.timeZone,
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'publications')
  const { intent, id } = await readForm(request)
  if (intent === 'make-example') return addExample(ctx, context)
  const input = { id: idParam(id, 'The publication') }
  try {
    if (intent === 'remove') {
      const { publicationName, urlKey } = await removePublication(ctx, input)
      dropStorefront(context, urlKey)
      return redirectWithToast(context, '/publications', {
        kind: 'success',
        text: `Removed '${publicationName}'`,
        detail: 'Its storefront is closed. Readers and orders are kept.',
        action: { label: 'Undo', to: '/publications', fields: { intent: 'restore', id: String(input.id) } },
      })
    }
    if (intent === 'remove-example') {
      const { publicationName } = await removeExample(ctx, { publicationId: input.id })
      return redirectWithToast(context, '/publications', {
        kind: 'success',
        text: `Removed '${publicationName}'`,
        detail: 'Its readers and test orders are deleted.',
      })
    }
    if (intent !== 'restore') throw new AppError('malformed', 'No action was chosen')
    const { publicationName, urlKey } = await restorePublication(ctx, input)
    dropStorefront(context, urlKey)
    return redirectWithToast(context, '/publications', {
      kind: 'success',
      text: `Restored '${publicationName}'`,
      action: { label: 'View storefront', to: `/${urlKey}` },
    })
  } catch (error) {
    if (isAppError(error) && error.kind === 'notFound' && intent !== 'restore') {
      const detail = 'It no longer exists. It may have been removed in another window.'
      return redirectWithToast(context, '/publications', { kind: 'error', text: 'Publication not removed', detail })
    }
    if (!isAppError(error) || error.kind !== 'conflict') throw error
    return redirectWithToast(context, '/publications', {
      kind: 'error',
      text: error.message,
      ...(error.hint ? { detail: error.hint } : {}),
    })
  }
}

export default function Publications() {
  const { publications, removed, quota, toRemove, timeZone } = useLoaderData<typeof loader>()
  const [confirming, setConfirming] = useState<{ id: number; publicationName: string; renewing: number } | null>(null)
  const submit = useSubmit()
  const isPending = useNavigation().formData?.get('intent') === 'remove'
  useHeadingFocus(publications.length)
  const count = `${quota.used} of ${quota.allowed} ${quota.allowed === 1 ? 'title' : 'titles'}`
  return (
    <>
      <PageHeader
        title="Publications"
        note={quota.isMet ? `${count}. To add another, ask for more titles or remove one.` : count}
        actions={<AddLink to="/addpublication">Add publication</AddLink>}
      />
      {toRemove && <RemovalPanel publication={toRemove} />}
      {publications.length === 0 && (
        <EmptyState
          title="No Publications found for this User"
          action={
            <div className="flex flex-wrap justify-center gap-3">
              <LinkButton to="/addpublication" kind="primary">
                Add publication
              </LinkButton>
              <ExampleButton action="/publications" />
            </div>
          }
        >
          Each publication has its own storefront, prices and readers. Adding one takes about ten minutes, and you can
          stop and continue later. To look around first, create an example title: it comes with prices, promo codes and
          invented readers, is visible only to you, and can be removed with one click.
        </EmptyState>
      )}
      <ul className="grid gap-4 md:grid-cols-2 2xl:grid-cols-3">
        {publications.map((publication) => (
          <PublicationCard key={publication.id} publication={publication} onRemove={() => setConfirming(publication)} />
        ))}
      </ul>
      {removed.length > 0 && <RemovedPublications removed={removed} timeZone={timeZone} />}
      <ConfirmDialog
        title={`Remove '${confirming?.publicationName ?? ''}'?`}
        text={<RemovalText renewing={confirming?.renewing ?? 0} />}
        confirmLabel="Remove publication"
        isOpen={confirming !== null}
        isDangerous
        isPending={isPending}
        onCancel={() => setConfirming(null)}
        onConfirm={() => {
          if (confirming) submit({ intent: 'remove', id: String(confirming.id) }, { method: 'post' })
          setConfirming(null)
        }}
      />
    </>
  )
}

/** The focused element may disappear with a card that is removed or restored: the heading of the list then gets the focus. */
function useHeadingFocus(count: number): void {
  const previousCount = useRef(count)
  useEffect(() => {
    if (previousCount.current === count) return
    previousCount.current = count
    const heading = document.querySelector<HTMLElement>('main h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [count])
}
