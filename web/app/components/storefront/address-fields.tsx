import { useRef, useState } from 'react'
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
  const [hadContent, setHadContent] = useState(hasContent)
  const [isFilled, setFilled] = useState(false)
  if (hasContent !== hadContent) {
    // Expands when a field gets a value or an error; only the user collapses it again.
    setHadContent(hasContent)
    if (hasContent) setExpanded(true)
  }

  function fill(postCode: string, address: string): void {
    const parts: AddressParts & { postCode: string } = { ...addressParts(address), postCode }
    setExpanded(true)
    setFilled(extraLines.some((name) => parts[name] !== ''))
    const values = Object.fromEntries(Object.entries(parts).map(([name, value]) => [fieldName(name), value]))
    if (container.current) fillFields(container.current, values)
  }

  const labels = addressLabels(country)
  const canFind = country === 'GB' && lookupPath !== null
  const postCode = (
    <PostcodeFinder
      key="postCode"
      form={form}
      name={fieldName('postCode')}
      label={t(labels.postCode)}
      autoComplete={`${prefix} postal-code`}
      lookupPath={canFind ? lookupPath : null}
      onPick={fill}
      onFailure={() => setExpanded(true)}
    />
  )
  const lines = (
    <AddressByHand key="lines" isCollapsible={canFind} isExpanded={isExpanded} onToggle={setExpanded}>
      <AddressLineFields form={form} prefix={prefix} needsCity={needsCity} hasExtras={isFilled || has(extraLines)} />
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
    </AddressByHand>
  )
  return (
    <div ref={container} onInput={onInput} className="grid gap-5">
      {/* By key: whoever is typing while the next country's page arrives keeps the focus and the text. */}
      {canFind ? [postCode, lines] : [lines, postCode]}
    </div>
  )
}
