import { SelectField, TextField } from '../ui/form-fields.tsx'

/** The company of a new publisher or reseller: address and contact. All of it can be completed later in My Account. */
export function PublisherFields({ countries }: { countries: readonly { code: string; name: string }[] }) {
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="mainContact" maxLength={200} />
        <TextField
          name="emailAddress"
          type="email"
          spellCheck={false}
          maxLength={254}
          hint="For readers. If blank, the log-in email is used."
        />
        <TextField name="telephone" type="tel" maxLength={40} />
        <TextField name="mobile" type="tel" maxLength={40} />
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="addressOne" maxLength={200} />
        <TextField name="addressTwo" maxLength={200} />
        <TextField name="addressThree" maxLength={200} />
        <TextField name="addressFour" maxLength={200} />
        <div className="max-w-48">
          <TextField name="postZip" maxLength={20} />
        </div>
        <SelectField name="country" options={countries.map(({ code, name }) => ({ value: code, label: name }))} />
      </div>
    </>
  )
}
