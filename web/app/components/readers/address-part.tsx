import { type FormEvent, useEffect, useRef, useState } from 'react'
import { addressLabels } from '#core/kernel/address-labels.rules.ts'
import { addressParts } from '#core/postcodes/address-parts.rules.ts'
import { fillFields } from '../storefront/fill-fields.ts'
import { PostcodeFinder } from '../storefront/postcode-finder.tsx'
import { AddressByHand } from '../ui/address-by-hand.tsx'
import { useFormState } from '../ui/form-context.ts'
import { SelectField } from '../ui/form-fields.tsx'
import { ReaderLine, ReaderPart } from './reader-line.tsx'

const lines = ['addressOne', 'addressTwo', 'addressThree', 'addressFour', 'city', 'state'] as const

interface AddressPartProps {
  /** The country that is assumed while the field is empty. */
  homeCountry: string
  /** The path of the address look-up; null if addresses are typed. */
  lookupPath: string | null
  /** The names come from the server, because browsers may use other names. */
  countries: readonly { code: string; name: string }[]
}

/**
 * The reader's address. In Great Britain the postcode comes first and the lines stay collapsed until an address is picked or they are
 * expanded; elsewhere all lines are shown.
 */
export function AddressPart({ homeCountry, lookupPath, countries }: AddressPartProps) {
  const form = useFormState()
  const container = useRef<HTMLDivElement>(null)
  const stored = form.values.country ?? ''
  const [country, setCountry] = useState(stored)
  const [postCode, setPostCode] = useState(form.values.postCode ?? '')
  const hasContent = lines.some((name) => form.values[name] || form.errors[name])
  const [isExpanded, setExpanded] = useState(hasContent)
  useEffect(() => {
    // Expanded when a field first has a stored value or an error; the user may collapse it again.
    if (hasContent) setExpanded(true)
  }, [hasContent])
  const isCollapsible = (country || homeCountry) === 'GB' && lookupPath !== null
  const labels = addressLabels(country || homeCountry)
  const finderForm = { errors: form.errors, values: { ...form.values, postCode } }

  function fill(foundPostCode: string, address: string): void {
    const { companyName, addressOne, addressTwo, addressThree, city } = addressParts(address)
    setExpanded(true)
    if (!container.current) return
    const lines = { addressOne, addressTwo, addressThree, addressFour: '', city, state: '' }
    const filled: Record<string, string> = { ...lines, postCode: foundPostCode }
    // If the picked address has no company, a typed company is kept.
    if (companyName !== '') filled.companyName = companyName
    fillFields(container.current, filled)
  }

  function trackPostCode({ target }: FormEvent): void {
    const { name, value } = target as HTMLInputElement
    if (name === 'postCode') setPostCode(value)
  }

  return (
    <ReaderPart title="Address">
      <div ref={container} onInput={trackPostCode} className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <SelectField
            name="country"
            onChange={({ target }) => setCountry(target.value)}
            options={[
              ...(stored === '' ? [{ value: '', label: 'Your own country' }] : []),
              ...countries.map(({ code, name }) => ({ value: code, label: name })),
            ]}
          />
          <ReaderLine name="companyName" />
        </div>
        {isCollapsible && lookupPath ? (
          <PostcodeFinder
            form={finderForm}
            name="postCode"
            autoComplete="off"
            lookupPath={lookupPath}
            onPick={fill}
            onFailure={() => setExpanded(true)}
            isOptional
          />
        ) : (
          <div className="max-w-44">
            <ReaderLine name="postCode" defaultValue={postCode} label={labels.postCode} autoCapitalize="characters" />
          </div>
        )}
        <AddressByHand isCollapsible={isCollapsible} isExpanded={isExpanded} onToggle={setExpanded}>
          <ReaderLine name="addressOne" />
          <ReaderLine name="addressTwo" />
          <ReaderLine name="addressThree" />
          <ReaderLine name="addressFour" />
          <ReaderLine name="city" />
          <ReaderLine name="state" label={labels.state?.label ?? 'County'} />
        </AddressByHand>
      </div>
    </ReaderPart>
  )
}
