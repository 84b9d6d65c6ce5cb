import { Field, Fieldset } from '../ui/field.tsx'
import { Password, Radio } from '../ui/inputs.tsx'
import type { FormProps } from './person-fields.tsx'

/** How a new user gets in: by a link in a mail, or with a password that is told to them. */
export function AccessFields({ errors, values, leastPassword }: FormProps & { leastPassword: number }) {
  const hasPassword = values.access === 'password'
  return (
    <div className="group space-y-5">
      <Fieldset legend="How the user gets in" name="access">
        <Radio
          name="access"
          value="invitation"
          defaultChecked={!hasPassword}
          label="Send an invitation by mail, with a link to choose a password"
        />
        <Radio name="access" value="password" defaultChecked={hasPassword} label="Set a password now" />
      </Fieldset>
      <div className="hidden group-has-[[value=password]:checked]:block">
        <PasswordPair errors={errors} leastPassword={leastPassword} isRequired />
      </div>
    </div>
  )
}

/** A password twice. It is never filled in again after a refusal. */
export function PasswordPair({
  errors,
  leastPassword,
  isRequired = false,
}: Pick<FormProps, 'errors'> & { leastPassword: number; isRequired?: boolean }) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field
        label="Password"
        name="password"
        hint={`At least ${leastPassword} characters`}
        isRequired={isRequired}
        error={errors.password}
      >
        {(control) => <Password {...control} name="password" autoComplete="new-password" maxLength={200} />}
      </Field>
      <Field
        label="Password again"
        name="password2"
        hint="The same once more"
        isRequired={isRequired}
        error={errors.password2}
      >
        {(control) => <Password {...control} name="password2" autoComplete="new-password" maxLength={200} />}
      </Field>
    </div>
  )
}
