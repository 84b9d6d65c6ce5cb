import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { addPublisher } from '#core/users/add-publisher.ts'
import { listManagedAccounts } from '#core/users/list-managed-accounts.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { Fieldset } from '#web/app/components/ui/field.tsx'
import { Form, FormButtons, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { TextField } from '#web/app/components/ui/form-fields.tsx'
import { Radio } from '#web/app/components/ui/inputs.tsx'
import { UnsavedGuard } from '#web/app/components/ui/unsaved-guard.tsx'
import { AccessFields } from '#web/app/components/users/access-fields.tsx'
import { ParentUserSelect } from '#web/app/components/users/parent-user-select.tsx'
import { PersonFields } from '#web/app/components/users/person-fields.tsx'
import { PublisherFields } from '#web/app/components/users/publisher-fields.tsx'
import { userLabels } from '#web/app/components/users/user-labels.ts'
import { countryChoices } from '#web/app/http/country-choices.ts'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

export const handle: CrumbHandle<Awaited<ReturnType<typeof loader>>> = {
  crumbs: ({ title }) => [{ label: 'Publishers', to: '/publishers' }, { label: title }],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}${data?.title ?? 'Add publisher'} – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'addPublisher')
  const isSuper = ctx.actor.userType === 'superuser'
  return {
    title: isSuper ? 'Add publisher or reseller' : 'Add publisher',
    resellers: isSuper ? await listManagedAccounts(ctx, { userType: 'reseller' }) : null,
    countries: countryChoices,
    minPasswordLength: ctx.settings.passwordMinLength,
    isRefused: wasRefused(context),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'addPublisher')
  const values = await readForm(request)
  // The form hides the titles of a reseller: a number left in them must not refuse it.
  const { numberOfPublications: _, ...withoutTitles } = values
  const account = values.userType === 'reseller' ? withoutTitles : values
  return submit(context, values, async () => {
    const { isInvited } = await addPublisher(ctx, account)
    return redirectWithToast(context, '/publishers', {
      kind: 'success',
      text: 'New user added',
      ...(isInvited ? { detail: 'The invitation is on its way.' } : {}),
    })
  })
}

export default function AddPublisher() {
  const { title, resellers, countries, minPasswordLength } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  const form = useForm({
    problem,
    values: { numberOfPublications: '1', country: 'GB' },
    labels: { ...userLabels, userType: 'Account type' },
    failure: 'User not added',
    isRestorable: true,
  })
  return (
    <div className="max-w-4xl">
      <PageHeader title={title} note="Optional fields can be completed later." />
      <Form form={form} className="group card space-y-6 p-4 lg:p-6">
        <UnsavedGuard text="This publisher has not been saved." />
        {resellers && (
          <Fieldset legend="Account type" name="userType">
            <Radio
              name="userType"
              value="publisher"
              defaultChecked={form.values.userType !== 'reseller'}
              label="Publisher: has titles, readers and storefronts"
            />
            <Radio
              name="userType"
              value="reseller"
              defaultChecked={form.values.userType === 'reseller'}
              label="Reseller: adds publishers and manages them"
            />
          </Fieldset>
        )}
        <TextField name="companyName" maxLength={200} isRequired />
        <PersonFields />
        <div className="space-y-6 group-has-[[value=reseller]:checked]:hidden">
          <div className="max-w-56">
            <TextField name="numberOfPublications" maxLength={4} inputMode="numeric" isRequired className="numeric" />
          </div>
          {resellers && resellers.length > 0 && (
            <ParentUserSelect
              name="resellerId"
              none="No reseller"
              hint="The reseller who manages the publisher, in addition to superusers."
              parents={resellers}
            />
          )}
        </div>
        <AccessFields minPasswordLength={minPasswordLength} />
        <PublisherFields countries={countries} />
        <FormButtons>
          <SubmitButton>{resellers ? 'Add account' : 'Add publisher'}</SubmitButton>
          <LinkButton to="/publishers">Cancel</LinkButton>
        </FormButtons>
      </Form>
    </div>
  )
}
