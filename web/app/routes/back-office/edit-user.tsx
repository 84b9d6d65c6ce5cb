import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { userTypeNames } from '#core/access/user-types.ts'
import { userMarks } from '#core/bounces/reader-marks.query.ts'
import { getUser, type UserView } from '#core/users/get-user.query.ts'
import { updateUser } from '#core/users/update-user.ts'
import { MarkedAddresses } from '#web/app/components/emails/marked-addresses.tsx'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { useFocusOnRow } from '#web/app/components/ui/focus.ts'
import { DeactivationConfirmation } from '#web/app/components/users/deactivation.tsx'
import { EditUserForm, storedUserValues } from '#web/app/components/users/edit-user-form.tsx'
import { UserAccess } from '#web/app/components/users/user-access.tsx'
import { userLinkId } from '#web/app/components/users/user-card.tsx'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { saveMerged } from '#web/app/http/merge-form.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'
import { ownAddress, runUserAction } from '#web/app/http/user-actions.ts'

type Loaded = Awaited<ReturnType<typeof loader>>

export const handle: CrumbHandle<Loaded> = {
  crumbs: ({ user, home }) => [home, { label: nameOf(user) }],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}${data ? nameOf(data.user) : 'User'} – Masthead` },
]

const nameOf = (user: Pick<UserView, 'firstName' | 'lastName' | 'email'>) =>
  `${user.firstName} ${user.lastName}`.trim() || user.email

/** The list that contains the user: publishers and resellers have their own. */
function homeOf({ userType, isSelf }: UserView) {
  const isListedAsPublisher = (userType === 'publisher' || userType === 'reseller') && !isSelf
  return isListedAsPublisher ? { label: 'Publishers', to: '/publishers' } : { label: 'Users', to: '/users' }
}

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'editUser')
  const user = await getUser(ctx, { id: idParam(params.userId, 'The user') })
  const managesPublishers = ctx.actor.publisherId === null
  return {
    user,
    marks: await userMarks(ctx, { id: user.id }),
    home: managesPublishers ? homeOf(user) : { label: 'Users', to: '/users' },
    timeZone: ctx.settings.timeZone,
    minPasswordLength: ctx.settings.passwordMinLength,
    isRefused: wasRefused(context),
  }
}

export async function action({ request, context, params }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'editUser')
  const id = idParam(params.userId, 'The user')
  const values = await readForm(request)
  if (values.intent !== 'update') return runUserAction(ctx, context, { ...values, id: String(id) }, ownAddress(request))
  return submit(context, values, async () => {
    await saveMerged(values, {
      read: () => getUser(ctx, { id }),
      valuesOf: storedUserValues,
      save: (merged, basedOn) => updateUser(ctx, { ...merged, id, basedOn }),
    })
    const { to } = ctx.actor.publisherId === null ? homeOf(await getUser(ctx, { id })) : { to: '/users' }
    return redirectWithToast(context, to, { kind: 'success', text: 'User successfully updated' })
  })
}

export default function EditUser() {
  const { user, marks, home, timeZone, minPasswordLength } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  const [params] = useSearchParams()
  useFocusOnRow(userLinkId)
  const name = nameOf(user)
  const isConfirming = params.get('confirm') === 'deactivate' && user.isActive && user.reasons.deactivate === null
  return (
    <>
      <PageHeader title={name} note={[userTypeNames[user.userType], user.companyName].filter(Boolean).join(', ')} />
      {isConfirming && (
        <DeactivationConfirmation
          user={{ id: user.id, name, userType: user.userType, dependents: user.dependents }}
          backTo={`/edituser/${user.id}`}
        />
      )}
      <MarkedAddresses marks={marks} timeZone={timeZone} mayClearMarks={user.may.edit} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        {user.may.edit ? (
          <EditUserForm
            key={user.id}
            user={user}
            backTo={home.to}
            minPasswordLength={minPasswordLength}
            problem={problem}
          />
        ) : (
          <Banner title="You can view this user but not edit their details">{user.reasons.edit}.</Banner>
        )}
        <UserAccess user={user} name={name} timeZone={timeZone} />
      </div>
    </>
  )
}
