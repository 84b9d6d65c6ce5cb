import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData, useNavigation, useSubmit } from '@remix-run/react'
import { useState } from 'react'
import { getBackIssue } from '#core/back-issues/get-back-issue.query.ts'
import { searchBackIssues } from '#core/back-issues/list-back-issues.query.ts'
import { removeBackIssue } from '#core/back-issues/remove-back-issue.ts'
import type { AppContext } from '#core/context.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import { countCopiesToPost } from '#core/orders/copies-to-post.query.ts'
import { listPublications } from '#core/publications/list-publications.query.ts'
import { BackIssueCard } from '#web/app/components/back-issues/back-issue-card.tsx'
import { NoPublicationSells } from '#web/app/components/back-issues/no-publication-sells.tsx'
import { RemoveIssueConfirmation, RemoveIssueDialog } from '#web/app/components/back-issues/remove-back-issue.tsx'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { AddLink } from '#web/app/components/ui/add-link.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { FilterBar } from '#web/app/components/ui/filter-bar.tsx'
import { Pagination } from '#web/app/components/ui/pagination.tsx'
import { readForm } from '#web/app/http/form.ts'
import { existingPage, searchParams } from '#web/app/http/list-params.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'
import { ownAddress } from '#web/app/http/user-actions.ts'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Single & Back Issues' }] }

export const meta: MetaFunction = () => [{ title: 'Single & Back Issues – Masthead' }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'backIssues')
  const { remove: removeId, ...query } = searchParams(request)
  const [page, ordersToPost, selling, toRemove] = await Promise.all([
    searchBackIssues(ctx, { size: '25', ...query }),
    countCopiesToPost(ctx, {}),
    listPublications(ctx, { sellsBackIssues: true }),
    issueToConfirm(ctx, Number(removeId)),
  ])
  return { page: existingPage(request, page), ordersToPost, isSelling: selling.length > 0, toRemove }
}

/** The back issue whose removal is to be confirmed on the page; null if there is none, or it no longer exists. */
async function issueToConfirm(ctx: AppContext, id: number) {
  if (!Number.isInteger(id)) return null
  return getBackIssue(ctx, { id }).catch((error: unknown) => {
    if (isAppError(error) && error.kind === 'notFound') return null
    throw error
  })
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'backIssues')
  const { id } = await readForm(request)
  // With the search and the page of the list.
  const returnTo = ownAddress(request)
  try {
    await removeBackIssue(ctx, { id: idParam(id, 'The back issue') })
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'notFound') throw error
    const detail = 'It no longer exists. It may have been removed in another window.'
    return redirectWithToast(context, returnTo, { kind: 'error', text: 'Back Issue not removed', detail })
  }
  return redirectWithToast(context, returnTo, { kind: 'success', text: 'The Back Issue has deleted' })
}

export default function BackIssues() {
  const { page, ordersToPost, isSelling, toRemove } = useLoaderData<typeof loader>()
  const issues = page.rows
  const [removeId, setRemoveId] = useState<number | null>(null)
  const issueToRemove = issues.find(({ id }) => id === removeId)
  const submit = useSubmit()
  const isPending = useNavigation().formMethod === 'POST'
  const publications = [...new Set(issues.map(({ publicationId }) => publicationId))]
  return (
    <>
      <PageHeader
        title={
          <>
            Single &amp; Back Issues <span className="numeric font-normal text-muted">{formatCount(page.all)}</span>
          </>
        }
        note="Issues that are sold by the copy, without a subscription."
        actions={
          <>
            {ordersToPost > 0 && (
              <LinkButton to="/backIssues/toPost">{`Copies to post (${formatCount(ordersToPost)})`}</LinkButton>
            )}
            {isSelling && <AddLink to="/addbackIssue">Add back issue</AddLink>}
          </>
        }
      />
      {toRemove && <RemoveIssueConfirmation issue={toRemove} />}
      {page.all === 0 && (isSelling ? <NoIssues /> : <NoPublicationSells />)}
      {page.all > 0 && (
        <div className="mb-4">
          <FilterBar
            label="Filter back issues"
            placeholder="Volume, description or publication"
            noun="back issue"
            total={page.total}
            all={page.all}
          />
        </div>
      )}
      {page.all > 0 && page.total === 0 && (
        <EmptyState
          title="No back issue matches your filter"
          action={<LinkButton to="?">Show all back issues</LinkButton>}
        >
          Try a part of the volume, of the description or of the publication’s name.
        </EmptyState>
      )}
      <div className="space-y-8">
        {publications.map((publicationId) => {
          const titleIssues = issues.filter((issue) => issue.publicationId === publicationId)
          const headingId = `publication-${publicationId}`
          return (
            <section key={publicationId} aria-labelledby={headingId}>
              <h2 id={headingId} className="mb-3 text-h2 wrap-anywhere">
                {titleIssues[0]?.publicationName}
              </h2>
              {titleIssues[0]?.isSelling === false && (
                <div className="mb-4">
                  <Banner tone="warning" title="Not on sale">
                    This publication does not sell back issues at the moment. Switch it on with “Do you sell back
                    issues?” under{' '}
                    <a href={`/editpublication/${publicationId}`} className="link">
                      Edit Details
                    </a>
                    .
                  </Banner>
                </div>
              )}
              <ul className="grid gap-4 md:grid-cols-2 2xl:grid-cols-3">
                {titleIssues.map((issue) => (
                  <BackIssueCard key={issue.id} issue={issue} onRemove={() => setRemoveId(issue.id)} />
                ))}
              </ul>
            </section>
          )
        })}
      </div>
      <Pagination {...page} noun="back issue" />
      {issueToRemove && (
        <RemoveIssueDialog
          issue={issueToRemove}
          isPending={isPending}
          onConfirm={() => submit({ id: issueToRemove.id }, { method: 'post', replace: true })}
          onCancel={() => setRemoveId(null)}
        />
      )}
    </>
  )
}

function NoIssues() {
  return (
    <EmptyState
      title="No Back issue found for this User"
      action={
        <LinkButton to="/addbackIssue" kind="primary">
          Add back issue
        </LinkButton>
      }
    >
      A back issue is sold by the copy on the storefront of its publication, with its own price and postage.
    </EmptyState>
  )
}
