import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useActionData, useLoaderData, useNavigation } from '@remix-run/react'
import { addPublisher } from '#core/users/add-publisher.ts'
import { listHolders } from '#core/users/list-holders.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { Button, LinkButton } from '#web/app/components/ui/button.tsx'
import { useErrorTitle } from '#web/app/components/ui/error-title.ts'
import { Fieldset } from '#web/app/components/ui/field.tsx'
import { Radio } from '#web/app/components/ui/inputs.tsx'
import { AccessFields } from '#web/app/components/users/access-fields.tsx'
import { HolderSelect } from '#web/app/components/users/holder-select.tsx'
import { PersonFields, TextLine } from '#web/app/components/users/person-fields.tsx'
import { PublisherFields } from '#web/app/components/users/publisher-fields.tsx'
import { RefusedForm } from '#web/app/components/users/refused-form.tsx'
import { countryChoices } from '#web/app/http/country-choices.ts'
import { enter } from '#web/app/http/enter.ts'
import { readForm, submit } from '#web/app/http/form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

export const handle: CrumbHandle = {
  crumbs: () => [{ label: 'Publishers', to: '/publishers' }, { label: 'Add publisher' }],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}Add publisher – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await enter(request, context, 'addPublisher')
  return {
    resellers: ctx.actor.userType === 'superuser' ? await listHolders(ctx, { userType: 'reseller' }) : null,
    countries: countryChoices,
    leastPassword: ctx.settings.passwordMinLength,
    isRefused: context.memo.has('refused'),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await enter(request, context, 'addPublisher')
  const values = await readForm(request)
  const answer = await submit(values, async () => {
    const { isInvited } = await addPublisher(ctx, values)
    return redirectWithToast(context, '/publishers', {
      kind: 'success',
      text: 'New user added',
      ...(isInvited ? { detail: 'The invitation is on its way.' } : {}),
    })
  })
  // Without scripts the page is made in this very request: its title says what became of the form.
  if (!(answer instanceof Response)) context.memo.set('refused', true)
  return answer
}

export default function AddPublisher() {
  const { resellers, countries, leastPassword } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  const isPending = useNavigation().formMethod === 'POST'
  useErrorTitle(problem !== undefined)
  const given = { errors: problem?.fields ?? {}, values: problem?.values ?? {} }
  return (
    <div className="max-w-4xl">
      <PageHeader
        title={resellers ? 'Add publisher or reseller' : 'Add publisher'}
        note="Fields marked * are needed; the rest can be completed later."
      />
      <Form method="post" noValidate className="group card space-y-6 p-4 lg:p-6">
        <RefusedForm title="User not added" problem={problem} />
        {resellers && (
          <Fieldset legend="What it is" name="userType" error={given.errors.userType}>
            <Radio
              name="userType"
              value="publisher"
              defaultChecked={given.values.userType !== 'reseller'}
              label="Publisher: has titles, readers and storefronts"
            />
            <Radio
              name="userType"
              value="reseller"
              defaultChecked={given.values.userType === 'reseller'}
              label="Reseller: adds publishers and looks after them"
            />
          </Fieldset>
        )}
        <TextLine {...given} name="companyName" label="Company" max={200} isRequired />
        <PersonFields {...given} />
        <div className="space-y-6 group-has-[[value=reseller]:checked]:hidden">
          <div className="max-w-56">
            <TextLine
              errors={given.errors}
              values={{ numberOfPublications: '1', ...given.values }}
              name="numberOfPublications"
              label="Titles allowed"
              max={4}
              inputMode="numeric"
              isRequired
              className="numeric"
            />
          </div>
          {resellers && resellers.length > 0 && (
            <HolderSelect
              {...given}
              name="resellerId"
              label="Reseller"
              none="No reseller"
              hint="Who looks after the publisher besides the superusers."
              holders={resellers}
            />
          )}
        </div>
        <AccessFields {...given} leastPassword={leastPassword} />
        <PublisherFields {...given} countries={countries} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" kind="primary" isPending={isPending}>
            {resellers ? 'Add account' : 'Add publisher'}
          </Button>
          <LinkButton to="/publishers">Cancel</LinkButton>
        </div>
      </Form>
    </div>
  )
}
