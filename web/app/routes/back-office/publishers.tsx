import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData, useNavigation } from '@remix-run/react'
import { formatCount } from '#core/kernel/text-format.ts'
import { listPublishers, publisherTypes } from '#core/users/list-publishers.query.ts'
import { userStates } from '#core/users/user-list-row.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { AddLink } from '#web/app/components/ui/add-link.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { ChoiceLinks } from '#web/app/components/ui/choice-links.tsx'
import { DataTable } from '#web/app/components/ui/data-table.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { FilterBar } from '#web/app/components/ui/filter-bar.tsx'
import { useFocusOnRow } from '#web/app/components/ui/focus.ts'
import { Pagination } from '#web/app/components/ui/pagination.tsx'
import { publisherColumns } from '#web/app/components/users/publisher-columns.tsx'
import { userLinkId } from '#web/app/components/users/user-card.tsx'
import { readForm } from '#web/app/http/form.ts'
import { existingPage, searchParams } from '#web/app/http/list-params.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { ownAddress, runUserAction } from '#web/app/http/user-actions.ts'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Publishers' }] }

export const meta: MetaFunction = () => [{ title: 'Publishers – Masthead' }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'publishers')
  const { keyedTo: _, ...params } = searchParams(request)
  const query = {
    ...params,
    // A wrong filter in an address is left out, as in every list.
    state: userStates.find((known) => known === params.state),
    userType: publisherTypes.find((known) => known === params.userType),
  }
  return {
    page: existingPage(request, await listPublishers(ctx, query)),
    isFiltered: Boolean(params.q?.trim() || query.state || query.userType),
    isSuper: ctx.actor.userType === 'superuser',
    timeZone: ctx.settings.timeZone,
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'publishers')
  return runUserAction(ctx, context, await readForm(request), ownAddress(request))
}

const states = [
  { value: 'all', text: 'All' },
  { value: 'active', text: 'Active' },
  { value: 'deactivated', text: 'Deactivated' },
]

const types = [
  { value: 'all', text: 'Both' },
  { value: 'publisher', text: 'Publishers' },
  { value: 'reseller', text: 'Resellers' },
]

export default function Publishers() {
  const { page, isFiltered, isSuper, timeZone } = useLoaderData<typeof loader>()
  useFocusOnRow(userLinkId)
  const isLoading = useNavigation().location?.pathname.startsWith('/publishers') ?? false
  return (
    <div data-wide>
      <PageHeader
        title={
          <>
            Publishers <span className="numeric font-normal text-muted">{formatCount(page.all)}</span>
          </>
        }
        note={isSuper ? 'Every publisher, and the resellers who manage them.' : 'The publishers you manage.'}
        actions={<AddLink to="/addpublisher">{isSuper ? 'Add publisher or reseller' : 'Add publisher'}</AddLink>}
      />
      <div className="mb-3">
        <FilterBar
          label="Filter publishers"
          placeholder="Company, name, email"
          noun={isSuper ? 'account' : 'publisher'}
          total={page.total}
          all={isFiltered ? page.all : undefined}
        >
          {isSuper && <ChoiceLinks label="Type" param="userType" choices={types} />}
          <ChoiceLinks label="Show" param="state" choices={states} />
        </FilterBar>
      </div>
      <DataTable
        label="Publishers"
        columns={publisherColumns({ isSuper, timeZone })}
        rows={page.rows}
        rowKey={({ id }) => id}
        sort=""
        isLoading={isLoading}
        empty={
          isFiltered ? (
            <EmptyState
              title="No publishers match your filter"
              action={<LinkButton to="?">Show all publishers</LinkButton>}
            >
              Try a part of the company’s or the person’s name.
            </EmptyState>
          ) : (
            <EmptyState title="No publishers yet" action={<LinkButton to="/addpublisher">Add publisher</LinkButton>}>
              Publishers appear here with their titles and readers once they have an account.
            </EmptyState>
          )
        }
      />
      <Pagination {...page} noun={isSuper ? 'account' : 'publisher'} />
    </div>
  )
}
