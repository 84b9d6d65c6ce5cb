import { useEffect, useRef, useState } from 'react'
import { addressLabels } from '#core/kernel/address-labels.rules.ts'
import { type AddressParts, addressParts } from '#core/postcodes/address-parts.rules.ts'
import { useT } from '#web/app/i18n/use-t.tsx'
import { AddressByHand } from '../ui/address-by-hand.tsx'
import { AddressLineFields, extraLines } from './address-line-fields.tsx'
import { useAddressLookUp } from './address-look-up.tsx'
import { fillFields } from './fill-fields.ts'
import { PostcodeFinder } from './postcode-finder.tsx'
import { type FormState, TextField } from './text-field.tsx'
import { useTypedValues } from './typed-values.ts'

interface AddressFieldsProps {
  form: FormState
  /** Prefix of the field names and the autocomplete section: billing or shipping. */
  prefix: string
  country: string
  needsCity?: boolean
}

/**
 * A postal address. In Great Britain it begins with the postcode: its addresses are looked up, and the other fields stay collapsed until one is
 * chosen. They are also shown when expanded, without JavaScript, and after an error. In other countries all fields are shown.
 */
export function AddressFields({ form: checkoutForm, prefix, country, needsCity = true }: AddressFieldsProps) {
  const t = useT()
  const lookupPath = useAddressLookUp()
  const container = useRef<HTMLDivElement>(null)
  const { onInput, ...form } = useTypedValues(checkoutForm, prefix)
  const fieldName = (name: string) => `${prefix}.${name}`
  const has = (names: readonly string[]) =>
    names.some((name) => form.values[fieldName(name)] || form.errors[fieldName(name)])
  const hasContent = has([...extraLines, 'addressOne', 'city'])
  const [isExpanded, setExpanded] = useState(hasContent)
  const [isFilled, setFilled] = useState(false)
  useEffect(() => {
    // Expands when a field gets a value or an error; only the user collapses it again.
    if (hasContent) setExpanded(true)
  }, [hasContent])

  function fill(postCode: string, address: string): void {
    const parts: AddressParts & { postCode: string } = { ...addressParts(address), postCode }
    setExpanded(true)
    setFilled(extraLines.some((name) => parts[name] !== ''))
    const values = Object.fromEntries(Object.entries(parts).map(([name, value]) => [fieldName(name), value]))
    if (container.current) fillFields(container.current, values)
  }

  const labels = addressLabels(country)
  const lines = (
    <AddressLineFields form={form} prefix={prefix} needsCity={needsCity} hasExtras={isFilled || has(extraLines)} />
  )
  if (country === 'GB' && lookupPath) {
    return (
      <div ref={container} onInput={onInput} className="grid gap-5">
        <PostcodeFinder
          form={form}
          name={fieldName('postCode')}
          autoComplete={`${prefix} postal-code`}
          lookupPath={lookupPath}
          onPick={fill}
          onFailure={() => setExpanded(true)}
        />
        <AddressByHand isExpanded={isExpanded} onToggle={setExpanded}>
          {lines}
        </AddressByHand>
      </div>
    )
  }
  return (
    <div onInput={onInput} className="grid gap-5 sm:grid-cols-2">
      {lines}
      {labels.state && (
        <TextField
          form={form}
          name={fieldName('state')}
          label={t(labels.state.label)}
          isRequired={needsCity && labels.state.isRequired}
          autoComplete={`${prefix} address-level1`}
          maxLength={100}
        />
      )}
      <TextField
        form={form}
        name={fieldName('postCode')}
        label={t(labels.postCode)}
        isRequired
        autoComplete={`${prefix} postal-code`}
        autoCapitalize="characters"
        maxLength={20}
        className="max-w-44"
      />
    </div>
  )
}
