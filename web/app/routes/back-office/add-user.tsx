import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { addUser } from '#core/users/add-user.ts'
import { listManagedAccounts } from '#core/users/list-managed-accounts.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { Form, FormButtons, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { UnsavedGuard } from '#web/app/components/ui/unsaved-guard.tsx'
import { AccessFields } from '#web/app/components/users/access-fields.tsx'
import { ParentUserSelect } from '#web/app/components/users/parent-user-select.tsx'
import { PersonFields } from '#web/app/components/users/person-fields.tsx'
import { RoleCards } from '#web/app/components/users/role-cards.tsx'
import { userLabels } from '#web/app/components/users/user-labels.ts'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Users', to: '/users' }, { label: 'Add user' }] }

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}Add user – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'addUser')
  return {
    publishers: ctx.actor.publisherId === null ? await listManagedAccounts(ctx, { userType: 'publisher' }) : null,
    publisherId: new URL(request.url).searchParams.get('publisher') ?? undefined,
    minPasswordLength: ctx.settings.passwordMinLength,
    isRefused: wasRefused(context),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'addUser')
  const values = await readForm(request)
  return submit(context, values, async () => {
    const { isInvited } = await addUser(ctx, values)
    return redirectWithToast(context, '/users', {
      kind: 'success',
      text: 'New user added',
      ...(isInvited ? { detail: 'The invitation is on its way.' } : {}),
    })
  })
}

export default function AddUser() {
  const { publishers, publisherId, minPasswordLength } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  const form = useForm({
    problem,
    values: { publisherId },
    labels: userLabels,
    failure: 'User not added',
    isRestorable: true,
  })
  if (publishers?.length === 0) {
    return (
      <>
        <PageHeader title="Add user" />
        <EmptyState
          title="There is no publisher to add a user to"
          action={<LinkButton to="/addpublisher">Add publisher</LinkButton>}
        >
          Users work for a publisher. Add a publisher first.
        </EmptyState>
      </>
    )
  }
  return (
    <div className="max-w-4xl">
      <PageHeader title="Add user" />
      <Form form={form} className="card space-y-6 p-4 lg:p-6">
        <UnsavedGuard text="This user has not been saved." />
        {publishers && (
          <ParentUserSelect
            name="publisherId"
            none="Choose the publisher"
            hint="The publisher whose publications the user works on. This cannot be changed later."
            isRequired
            parents={publishers}
          />
        )}
        <PersonFields />
        <RoleCards />
        <AccessFields minPasswordLength={minPasswordLength} />
        <FormButtons>
          <SubmitButton>Add user</SubmitButton>
          <LinkButton to="/users">Cancel</LinkButton>
        </FormButtons>
      </Form>
    </div>
  )
}
