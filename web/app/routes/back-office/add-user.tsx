import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useActionData, useLoaderData, useNavigation } from '@remix-run/react'
import { addUser } from '#core/users/add-user.ts'
import { listHolders } from '#core/users/list-holders.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { Button, LinkButton } from '#web/app/components/ui/button.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { useErrorTitle } from '#web/app/components/ui/error-title.ts'
import { AccessFields } from '#web/app/components/users/access-fields.tsx'
import { HolderSelect } from '#web/app/components/users/holder-select.tsx'
import { type FormProps, PersonFields } from '#web/app/components/users/person-fields.tsx'
import { RefusedForm } from '#web/app/components/users/refused-form.tsx'
import { RoleCards } from '#web/app/components/users/role-cards.tsx'
import { enter } from '#web/app/http/enter.ts'
import { readForm, submit } from '#web/app/http/form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Users', to: '/users' }, { label: 'Add user' }] }

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}Add user – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await enter(request, context, 'addUser')
  return {
    publishers: ctx.actor.publisherId === null ? await listHolders(ctx, { userType: 'publisher' }) : null,
    chosen: new URL(request.url).searchParams.get('publisher') ?? undefined,
    leastPassword: ctx.settings.passwordMinLength,
    isRefused: context.memo.has('refused'),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await enter(request, context, 'addUser')
  const values = await readForm(request)
  const answer = await submit(values, async () => {
    const { isInvited } = await addUser(ctx, values)
    return redirectWithToast(context, '/users', {
      kind: 'success',
      text: 'New user added',
      ...(isInvited ? { detail: 'The invitation is on its way.' } : {}),
    })
  })
  // Without scripts the page is made in this very request: its title says what became of the form.
  if (!(answer instanceof Response)) context.memo.set('refused', true)
  return answer
}

export default function AddUser() {
  const { publishers, chosen, leastPassword } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  const isPending = useNavigation().formMethod === 'POST'
  useErrorTitle(problem !== undefined)
  const given: FormProps = { errors: problem?.fields ?? {}, values: problem?.values ?? { publisherId: chosen } }
  if (publishers?.length === 0) {
    return (
      <>
        <PageHeader title="Add user" />
        <EmptyState
          title="There is no publisher to add a user to"
          action={<LinkButton to="/addpublisher">Add publisher</LinkButton>}
        >
          A user works for a publisher. Add one first.
        </EmptyState>
      </>
    )
  }
  return (
    <div className="max-w-4xl">
      <PageHeader title="Add user" note="Fields marked * are needed." />
      <Form method="post" noValidate className="card space-y-6 p-4 lg:p-6">
        <RefusedForm title="User not added" problem={problem} />
        {publishers && (
          <HolderSelect
            {...given}
            name="publisherId"
            label="Publisher"
            none="Choose the publisher"
            hint="Whose publications the user works on. This cannot be changed later."
            isRequired
            holders={publishers}
          />
        )}
        <PersonFields {...given} />
        <RoleCards chosen={given.values.userType} error={given.errors.userType} />
        <AccessFields {...given} leastPassword={leastPassword} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" kind="primary" isPending={isPending}>
            Add user
          </Button>
          <LinkButton to="/users">Cancel</LinkButton>
        </div>
      </Form>
    </div>
  )
}
