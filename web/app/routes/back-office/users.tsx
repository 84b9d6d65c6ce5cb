import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { userTypes } from '#core/access/user-types.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import { getUser } from '#core/users/get-user.query.ts'
import { listUsers } from '#core/users/list-users.query.ts'
import { userStates } from '#core/users/user-list-row.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { AddLink } from '#web/app/components/ui/add-link.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { ChoiceLinks } from '#web/app/components/ui/choice-links.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { FilterBar } from '#web/app/components/ui/filter-bar.tsx'
import { useFocusOnRow } from '#web/app/components/ui/focus.ts'
import { Pagination } from '#web/app/components/ui/pagination.tsx'
import { UserCard, userLinkId } from '#web/app/components/users/user-card.tsx'
import { readForm } from '#web/app/http/form.ts'
import { existingPage, searchParams } from '#web/app/http/list-params.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { ownAddress, runUserAction } from '#web/app/http/user-actions.ts'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Users' }] }

export const meta: MetaFunction = () => [{ title: 'Users – Masthead' }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'users')
  const params = searchParams(request)
  const publisher = params.keyedTo ? await getUser(ctx, { id: idParam(params.keyedTo, 'The publisher') }) : null
  const managesPublishers = ctx.actor.publisherId === null
  const query = {
    size: '25',
    ...params,
    // A wrong filter in an address is left out, as in every list.
    state: userStates.find((known) => known === params.state),
    userType: userTypes.find((known) => known === params.userType),
    keyedTo: publisher?.id,
  }
  return {
    page: existingPage(request, await listUsers(ctx, query)),
    publisherName: publisher?.companyName ?? null,
    isFiltered: Boolean(params.q?.trim() || query.state || publisher),
    managesPublishers,
    timeZone: ctx.settings.timeZone,
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'users')
  return runUserAction(ctx, context, await readForm(request), ownAddress(request))
}

const states = [
  { value: 'all', text: 'All' },
  { value: 'active', text: 'Active' },
  { value: 'deactivated', text: 'Deactivated' },
]

export default function Users() {
  const { page, publisherName, isFiltered, managesPublishers, timeZone } = useLoaderData<typeof loader>()
  useFocusOnRow(userLinkId)
  return (
    <>
      <PageHeader
        title={
          <>
            Users <span className="numeric font-normal text-muted">{formatCount(page.all)}</span>
          </>
        }
        note={
          managesPublishers
            ? 'Everybody you manage: publishers and their staff.'
            : 'Everybody who works on your publications, and their roles.'
        }
        actions={<AddLink to="/adduser">Add user</AddLink>}
      />
      <div className="mb-4">
        <FilterBar
          label="Filter users"
          placeholder={managesPublishers ? 'Name, email, company' : 'Name, email'}
          noun="user"
          total={page.total}
          all={isFiltered ? page.all : undefined}
          chips={publisherName === null ? [] : [{ param: 'keyedTo', text: publisherName }]}
        >
          <ChoiceLinks label="Show" param="state" choices={states} />
        </FilterBar>
      </div>
      {page.rows.length === 0 ? (
        <EmptyState title="No users match your filter" action={<LinkButton to="?">Show all users</LinkButton>}>
          Try a part of the name or of the email address.
        </EmptyState>
      ) : (
        <ul
          aria-label="Users"
          className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-6 2xl:grid-cols-8"
        >
          {page.rows.map((user) => (
            <UserCard key={user.id} user={user} hasCompany={managesPublishers} timeZone={timeZone} />
          ))}
        </ul>
      )}
      <Pagination {...page} noun="user" />
    </>
  )
}
