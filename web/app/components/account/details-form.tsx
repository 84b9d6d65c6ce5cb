import type { AccountView } from '#core/accounts/get-account.query.ts'
import type { FormProblem } from '../../http/form.ts'
import { Form, FormButtons, SubmitButton, useForm } from '../ui/form.tsx'
import { SelectField, TextField } from '../ui/form-fields.tsx'
import { UnsavedGuard } from '../ui/unsaved-guard.tsx'
import { accountLabels } from './account-labels.ts'
import { AccountPart } from './account-part.tsx'
import { SellingFields } from './selling-fields.tsx'

interface DetailsFormProps {
  account: AccountView
  countries: readonly { code: string; name: string }[]
  problem: FormProblem | undefined
}

/** The account's main form: the user's own details and, for the company's owner, the company, its address and how it sells. */
export function DetailsForm({ account, countries, problem }: DetailsFormProps) {
  const company = account.mayChangeCompany ? account.company : null
  const form = useForm({
    problem,
    identifiedBy: { intent: 'save' },
    values: storedAccountValues(account),
    isMerged: true,
    labels: accountLabels,
    isRestorable: true,
  })
  return (
    <Form form={form} className="space-y-5">
      <UnsavedGuard text="Your changes in My Account have not been saved." />
      <AccountPart id="details" title="Details">
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField name="firstName" isRequired autoComplete="given-name" maxLength={100} />
          <TextField name="lastName" isRequired autoComplete="family-name" maxLength={100} />
          {company && (
            <>
              <TextField name="companyName" isRequired autoComplete="organization" maxLength={200} />
              <TextField name="fullName" autoComplete="name" maxLength={200} />
              <TextField name="mainContact" maxLength={200} />
              <TextField name="emailAddress" type="email" autoComplete="off" maxLength={254} />
              <TextField name="singleEmailAddress" type="email" autoComplete="off" maxLength={254} />
              <TextField name="telephone" type="tel" autoComplete="tel" maxLength={40} />
              <TextField name="mobile" type="tel" autoComplete="off" maxLength={40} />
            </>
          )}
        </div>
      </AccountPart>
      {company && (
        <AccountPart id="address" title="Address">
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField name="addressOne" autoComplete="address-line1" maxLength={200} />
            <TextField name="addressTwo" autoComplete="address-line2" maxLength={200} />
            <TextField name="addressThree" autoComplete="address-line3" maxLength={200} />
            <TextField name="addressFour" autoComplete="off" maxLength={200} />
            <TextField
              name="postZip"
              autoComplete="postal-code"
              autoCapitalize="characters"
              maxLength={20}
              className="max-w-44"
            />
            <SelectField name="country" options={countries.map(({ code, name }) => ({ value: code, label: name }))} />
          </div>
        </AccountPart>
      )}
      {account.selling && <SellingFields />}
      <FormButtons>
        <SubmitButton>Save account</SubmitButton>
        <p role="status" className="text-body text-ink-2">
          {form.isDirty ? 'You have unsaved changes' : ''}
        </p>
      </FormButtons>
    </Form>
  )
}

/** The stored account as the values of the user's form; field names are group and field joined by a full stop. */
export function storedAccountValues(account: AccountView): Record<string, string> {
  const { firstName, lastName, company, mayChangeCompany, selling } = account
  const { directDebitDets = {}, ...sellingFields } = selling ?? {}
  return asText({
    firstName,
    lastName,
    ...(mayChangeCompany && company),
    ...sellingFields,
    ...prefixedFields('directDebitDets', directDebitDets),
  })
}

function prefixedFields(group: string, fields: object): object {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${group}.${name}`, value]))
}

function asText(fields: object): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value ?? '')]))
}
