import { useEffect, useRef, useState } from 'react'
import { addressLabels } from '#core/kernel/address-labels.rules.ts'
import { addressParts } from '#core/postcodes/address-parts.rules.ts'
import { fillFields } from '../storefront/fill-fields.ts'
import { PostcodeFinder } from '../storefront/postcode-finder.tsx'
import { AddressByHand } from '../ui/address-by-hand.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { useFormState } from '../ui/form-context.ts'
import { SelectField, TextField } from '../ui/form-fields.tsx'
import { signUpLabels } from './sign-up-labels.ts'

interface BillingStepProps {
  problem: Refusal | undefined
  company: Readonly<Record<string, string>> | null
  countries: readonly { code: string; name: string }[]
  /** The path of the address look-up; null if addresses are typed. */
  lookupPath: string | null
}

/** Step two: the company that is billed, and its address. */
export function BillingStep({ problem, company, ...addressProps }: BillingStepProps) {
  const form = useForm({ problem, labels: signUpLabels, values: company ?? { country: 'GB' } })
  return (
    <Form form={form} className="card space-y-5 p-4 lg:p-6">
      <h2 className="text-h3 font-semibold">Your company</h2>
      <p className="text-body text-ink-2">
        The name and the address go on our invoices. The country decides whether VAT is added: only in the United
        Kingdom.
      </p>
      <AddressBlock {...addressProps} />
      <FormButtons>
        <LinkButton to="/signup">Previous</LinkButton>
        <SubmitButton>Next</SubmitButton>
      </FormButtons>
    </Form>
  )
}

const lines = ['addressOne', 'addressTwo', 'addressThree', 'addressFour'] as const

/** In Great Britain the postcode comes first and the lines stay collapsed until an address is picked or they are expanded. */
function AddressBlock({ countries, lookupPath }: Pick<BillingStepProps, 'countries' | 'lookupPath'>) {
  const form = useFormState()
  const container = useRef<HTMLDivElement>(null)
  const [country, setCountry] = useState(form.values.country ?? 'GB')
  // The postcode as typed when the country was changed, because the postcode field may then be replaced.
  const [postZip, setPostZip] = useState(form.values.postZip)
  const hasContent = lines.some((name) => form.values[name] || form.errors[name])
  const [isExpanded, setExpanded] = useState(hasContent)
  useEffect(() => {
    if (hasContent) setExpanded(true)
  }, [hasContent])
  const isCollapsible = country === 'GB' && lookupPath !== null
  const labels = addressLabels(country)
  const finderForm = { errors: form.errors, values: { postZip: postZip ?? '' } }

  function changeCountry(code: string): void {
    setPostZip(container.current?.querySelector<HTMLInputElement>('input[name="postZip"]')?.value)
    setCountry(code)
  }

  function fill(postZip: string, address: string): void {
    const parts = addressParts(address)
    setExpanded(true)
    if (!container.current) return
    const { addressOne, addressTwo, addressThree, city } = parts
    fillFields(container.current, { addressOne, addressTwo, addressThree, addressFour: city, postZip })
  }

  return (
    <div ref={container} className="grid gap-5">
      <TextField name="companyName" isRequired autoComplete="organization" maxLength={200} />
      <SelectField
        name="country"
        isRequired
        autoComplete="country"
        onChange={({ target }) => changeCountry(target.value)}
        options={countries.map(({ code, name }) => ({ value: code, label: name }))}
      />
      {isCollapsible && lookupPath ? (
        <PostcodeFinder
          form={finderForm}
          name="postZip"
          autoComplete="postal-code"
          lookupPath={lookupPath}
          onPick={fill}
          onFailure={() => setExpanded(true)}
          isOptional
          isCompact
        />
      ) : null}
      <AddressByHand isCollapsible={isCollapsible} isExpanded={isExpanded} onToggle={setExpanded}>
        <TextField name="addressOne" autoComplete="address-line1" maxLength={200} />
        <TextField name="addressTwo" autoComplete="address-line2" maxLength={200} />
        <TextField name="addressThree" autoComplete="address-line3" maxLength={200} />
        <TextField name="addressFour" autoComplete="address-level2" maxLength={200} />
        {!isCollapsible && (
          <TextField
            name="postZip"
            label={labels.postCode}
            defaultValue={postZip}
            autoComplete="postal-code"
            autoCapitalize="characters"
            maxLength={20}
            className="max-w-44"
          />
        )}
      </AddressByHand>
    </div>
  )
}
