import { Field } from '../ui/field.tsx'
import { Select } from '../ui/inputs.tsx'
import { type FormProps, TextLine } from './person-fields.tsx'

/** The company behind a new publisher or reseller: its address and how it is reached. All of it can be completed later in My Account. */
export function PublisherFields({
  countries,
  ...given
}: FormProps & { countries: readonly { code: string; name: string }[] }) {
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextLine {...given} name="mainContact" label="Main contact" max={200} />
        <TextLine
          {...given}
          name="emailAddress"
          label="Contact email"
          type="email"
          max={254}
          hint="For readers. The log-in email where it is left empty."
        />
        <TextLine {...given} name="telephone" label="Telephone" type="tel" max={40} />
        <TextLine {...given} name="mobile" label="Mobile" type="tel" max={40} />
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextLine {...given} name="addressOne" label="Address line 1" max={200} />
        <TextLine {...given} name="addressTwo" label="Address line 2" max={200} />
        <TextLine {...given} name="addressThree" label="Address line 3" max={200} />
        <TextLine {...given} name="addressFour" label="Address line 4" max={200} />
        <div className="max-w-48">
          <TextLine {...given} name="postZip" label="Postcode or zip" max={20} />
        </div>
        <Field label="Country" name="country" isRequired error={given.errors.country}>
          {(control) => (
            <Select {...control} name="country" defaultValue={given.values.country ?? 'GB'}>
              {countries.map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </>
  )
}
