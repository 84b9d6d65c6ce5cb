import { Form } from '@remix-run/react'
import { useRef, useState } from 'react'
import type { AccountView } from '#core/accounts/get-account.query.ts'
import type { FormProblem } from '../../http/form.ts'
import { Button } from '../ui/button.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { formDiffers } from '../ui/form-differs.ts'
import { UnsavedGuard } from '../ui/unsaved-guard.tsx'
import { SelectField, TextField } from './account-fields.tsx'
import { useFormState } from './account-form.ts'
import { labels, summarised } from './account-labels.ts'
import { AccountPart } from './account-part.tsx'
import { SellingFields } from './selling-fields.tsx'

interface DetailsFormProps {
  account: AccountView
  countries: readonly { code: string; name: string }[]
  problem: FormProblem | undefined
}

/** The account's main form: who one is and, for those whose company it is, the company, its address and how it sells. */
export function DetailsForm({ account, countries, problem: anyProblem }: DetailsFormProps) {
  const { problem, isPending } = useFormState(anyProblem, ['save'])
  const form = useRef<HTMLFormElement>(null)
  const [isDirty, setDirty] = useState(false)
  const company = account.mayChangeCompany ? account.company : null
  const field = { problem }
  return (
    <Form
      ref={form}
      method="post"
      noValidate
      className="space-y-5"
      onChange={() => setDirty(form.current ? formDiffers(form.current) : false)}
    >
      <input type="hidden" name="intent" value="save" />
      <UnsavedGuard isDirty={isDirty && !isPending} text="What you changed in My Account has not been saved." />
      {problem && <ErrorSummary message={problem.message} hint={problem.hint} fields={summarised(problem.fields)} />}
      <AccountPart id="details" title="Details" note="A star (*) marks what we cannot do without.">
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            {...field}
            name="firstName"
            label={labels.firstName}
            stored={account.firstName}
            isRequired
            autoComplete="given-name"
            maxLength={100}
          />
          <TextField
            {...field}
            name="lastName"
            label={labels.lastName}
            stored={account.lastName}
            isRequired
            autoComplete="family-name"
            maxLength={100}
          />
          {company && (
            <>
              <TextField
                {...field}
                name="companyName"
                label={labels.companyName}
                stored={company.companyName}
                isRequired
                autoComplete="organization"
                maxLength={200}
              />
              <TextField
                {...field}
                name="fullName"
                label={labels.fullName}
                stored={company.fullName}
                autoComplete="name"
                maxLength={200}
              />
              <TextField
                {...field}
                name="mainContact"
                label={labels.mainContact}
                stored={company.mainContact}
                maxLength={200}
              />
              <TextField
                {...field}
                name="emailAddress"
                label={labels.emailAddress}
                stored={company.emailAddress}
                type="email"
                autoComplete="off"
                maxLength={254}
              />
              <TextField
                {...field}
                name="singleEmailAddress"
                label={labels.singleEmailAddress}
                stored={company.singleEmailAddress}
                type="email"
                autoComplete="off"
                maxLength={254}
              />
              <TextField
                {...field}
                name="telephone"
                label={labels.telephone}
                stored={company.telephone}
                type="tel"
                autoComplete="tel"
                maxLength={40}
              />
              <TextField
                {...field}
                name="mobile"
                label={labels.mobile}
                stored={company.mobile}
                type="tel"
                autoComplete="off"
                maxLength={40}
              />
            </>
          )}
        </div>
      </AccountPart>
      {company && (
        <AccountPart id="address" title="Address">
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField
              {...field}
              name="addressOne"
              label={labels.addressOne}
              stored={company.addressOne}
              autoComplete="address-line1"
              maxLength={200}
            />
            <TextField
              {...field}
              name="addressTwo"
              label={labels.addressTwo}
              stored={company.addressTwo}
              autoComplete="address-line2"
              maxLength={200}
            />
            <TextField
              {...field}
              name="addressThree"
              label={labels.addressThree}
              stored={company.addressThree}
              autoComplete="address-line3"
              maxLength={200}
            />
            <TextField
              {...field}
              name="addressFour"
              label={labels.addressFour}
              stored={company.addressFour}
              autoComplete="off"
              maxLength={200}
            />
            <TextField
              {...field}
              name="postZip"
              label={labels.postZip}
              stored={company.postZip}
              autoComplete="postal-code"
              autoCapitalize="characters"
              maxLength={20}
              className="max-w-44"
            />
            <SelectField
              {...field}
              name="country"
              label={labels.country}
              stored={company.country}
              options={countries.map(({ code, name }) => ({ value: code, label: name }))}
            />
          </div>
        </AccountPart>
      )}
      {account.selling && <SellingFields selling={account.selling} problem={problem} />}
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" kind="primary" isPending={isPending}>
          Save account
        </Button>
        <p role="status" className="text-body text-ink-2">
          {isDirty ? 'You have unsaved changes' : ''}
        </p>
      </div>
    </Form>
  )
}
