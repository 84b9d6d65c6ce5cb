import { AddressFields } from './address-fields.tsx'
import { type FormState, TextField } from './text-field.tsx'

/** Where it is posted to. The fields follow the tick by style alone, so that they are there without JavaScript. */
export function Delivery({
  form,
  country,
  needsCity = true,
}: {
  form: FormState
  country: string
  needsCity?: boolean
}) {
  const isSame = form.values.isDeliveredToBilling !== 'false'
  return (
    <div>
      <input type="hidden" name="isDeliveredToBilling" value="false" />
      <input
        id="same-address"
        type="checkbox"
        name="isDeliveredToBilling"
        value="true"
        defaultChecked={isSame}
        className="peer mr-2.5 size-4.5 align-[-3px] accent-ink"
      />
      <label htmlFor="same-address" className="text-input">
        Deliver to the billing address
      </label>
      <div className="mt-5 grid gap-5 peer-checked:hidden">
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            form={form}
            name="shipping.firstName"
            label="First name"
            autoComplete="shipping given-name"
            maxLength={100}
          />
          <TextField
            form={form}
            name="shipping.lastName"
            label="Last name"
            autoComplete="shipping family-name"
            maxLength={100}
          />
        </div>
        <AddressFields form={form} prefix="shipping" country={country} needsCity={needsCity} />
      </div>
    </div>
  )
}
