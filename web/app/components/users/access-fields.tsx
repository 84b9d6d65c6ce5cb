import { Fieldset } from '../ui/field.tsx'
import { useFormState } from '../ui/form-context.ts'
import { PasswordField } from '../ui/form-fields.tsx'
import { Radio } from '../ui/inputs.tsx'

/** How a new user logs in for the first time: by an emailed link, or with a password that is handed over. */
export function AccessFields({ minPasswordLength }: { minPasswordLength: number }) {
  const hasPassword = useFormState().values.access === 'password'
  return (
    <div className="group space-y-5">
      <Fieldset legend="First log-in" name="access">
        <Radio
          name="access"
          value="invitation"
          defaultChecked={!hasPassword}
          label="Send an invitation with a link to choose a password"
        />
        <Radio name="access" value="password" defaultChecked={hasPassword} label="Set a password now" />
      </Fieldset>
      <div className="hidden group-has-[[value=password]:checked]:block">
        <PasswordPair minPasswordLength={minPasswordLength} isRequired />
      </div>
    </div>
  )
}

/** A password, typed twice. Never prefilled when the form is returned with errors. */
export function PasswordPair({
  minPasswordLength,
  isRequired = false,
}: {
  minPasswordLength: number
  isRequired?: boolean
}) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <PasswordField
        name="password"
        hint={`At least ${minPasswordLength} characters`}
        isRequired={isRequired}
        autoComplete="new-password"
      />
      <PasswordField
        name="password2"
        hint="Enter the same password again"
        isRequired={isRequired}
        autoComplete="new-password"
      />
    </div>
  )
}
