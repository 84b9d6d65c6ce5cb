import { type FormEvent, useEffect, useRef, useState } from 'react'
import { addressLabels } from '#core/kernel/address-labels.rules.ts'
import { addressParts } from '#core/postcodes/address-parts.rules.ts'
import { withoutScript } from '../storefront/address-fields.tsx'
import { fillFields } from '../storefront/fill-fields.ts'
import { PostcodeFinder } from '../storefront/postcode-finder.tsx'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/inputs.tsx'
import { type ReaderFormState, ReaderLine, ReaderPart } from './reader-line.tsx'

const lines = ['addressOne', 'addressTwo', 'addressThree', 'addressFour', 'city', 'state'] as const

interface AddressPartProps {
  form: ReaderFormState
  /** What an empty country means. */
  homeCountry: string
  /** Where addresses are looked up; null where they are entered by hand. */
  lookUpAt: string | null
  /** By the server's names: a browser may call them otherwise. */
  countries: readonly { code: string; name: string }[]
}

/**
 * Where the reader lives or works. In Great Britain the postcode comes first and the lines stay folded until an address was picked from
 * its list or somebody unfolds them; elsewhere they are there at once.
 */
export function AddressPart({ form, homeCountry, lookUpAt, countries }: AddressPartProps) {
  const block = useRef<HTMLDivElement>(null)
  const stored = form.values.country ?? ''
  const [country, setCountry] = useState(stored)
  const [postCode, setPostCode] = useState(form.values.postCode ?? '')
  const isUsed = lines.some((name) => form.values[name] || form.errors[name])
  const [isUnfolded, setUnfolded] = useState(isUsed)
  useEffect(() => {
    // A message, and what was typed, is never hidden.
    if (isUsed) setUnfolded(true)
  }, [isUsed])
  const isFolding = (country || homeCountry) === 'GB' && lookUpAt !== null
  const labels = addressLabels(country || homeCountry)
  const state = { errors: form.errors, values: { ...form.values, postCode } }

  function fill(found: string, address: string): void {
    const { companyName, addressOne, addressTwo, addressThree, city } = addressParts(address)
    setUnfolded(true)
    if (!block.current) return
    const lines = { addressOne, addressTwo, addressThree, addressFour: '', city, state: '' }
    const filled: Record<string, string> = { ...lines, postCode: found }
    // A company that was typed stays where the address names none.
    if (companyName !== '') filled.companyName = companyName
    fillFields(block.current, filled)
  }

  function note({ target }: FormEvent): void {
    const { name, value } = target as HTMLInputElement
    if (name === 'postCode') setPostCode(value)
  }

  return (
    <ReaderPart title="Address">
      <div ref={block} onInput={note} className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Country" name="country" error={form.errors.country}>
            {(control) => (
              <Select
                {...control}
                name="country"
                defaultValue={stored}
                onChange={({ target }) => setCountry(target.value)}
              >
                {stored === '' && <option value="">Your own country</option>}
                {countries.map(({ code, name }) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <ReaderLine form={form} name="companyName" />
        </div>
        {isFolding && lookUpAt ? (
          <PostcodeFinder
            form={state}
            name="postCode"
            autoComplete="off"
            lookUpAt={lookUpAt}
            onPick={fill}
            onFailure={() => setUnfolded(true)}
            isOptional
          />
        ) : (
          <div className="max-w-44">
            <ReaderLine form={state} name="postCode" label={labels.postCode} autoCapitalize="characters" />
          </div>
        )}
        <details
          open={!isFolding || isUnfolded || undefined}
          onToggle={({ currentTarget }) => isFolding && setUnfolded(currentTarget.open)}
          className={isFolding ? 'address-by-hand' : ''}
        >
          <summary
            className={
              isFolding
                ? 'inline-flex min-h-8 items-center rounded-input text-body font-medium text-ink underline underline-offset-3 hover:decoration-2'
                : 'hidden'
            }
          >
            Enter address by hand
          </summary>
          <div className={`grid gap-5 sm:grid-cols-2 ${isFolding ? 'pt-2' : ''}`}>
            <ReaderLine form={form} name="addressOne" />
            <ReaderLine form={form} name="addressTwo" />
            <ReaderLine form={form} name="addressThree" />
            <ReaderLine form={form} name="addressFour" />
            <ReaderLine form={form} name="city" />
            <ReaderLine form={form} name="state" label={labels.state?.label ?? 'County'} />
          </div>
        </details>
        {isFolding && (
          <noscript>
            <style>{withoutScript}</style>
          </noscript>
        )}
      </div>
    </ReaderPart>
  )
}
