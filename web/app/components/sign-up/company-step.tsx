import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { useFormState } from '../ui/form-context.ts'
import { PasswordField, TextField } from '../ui/form-fields.tsx'
import { Input, Password } from '../ui/inputs.tsx'
import { EmailField } from './email-field.tsx'
import { signUpLabels } from './sign-up-labels.ts'

interface CompanyStepProps {
  problem: Refusal | undefined
  person: { firstName: string; lastName: string; email: string } | null
  hasPassword: boolean
  minLength: number
  /** The plan that the visitor's link named. */
  kind: string | null
}

/** Step one: name, email and password. */
export function CompanyStep({ problem, person, hasPassword, minLength, kind }: CompanyStepProps) {
  const form = useForm({
    problem,
    labels: signUpLabels,
    values: person ? { ...person, confirmEmail: person.email } : {},
    hidden: kind ? { kind } : {},
  })
  return (
    <Form form={form} className="card space-y-5 p-4 lg:p-6">
      <h2 className="text-h3 font-semibold">Who you are</h2>
      <p className="text-body text-ink-2">
        Your name appears on everything we send you. You log in with the email and the password.
      </p>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="firstName" isRequired autoComplete="given-name" maxLength={100} />
        <TextField name="lastName" isRequired autoComplete="family-name" maxLength={100} />
      </div>
      <EmailField />
      <ConfirmEmail />
      {hasPassword && (
        <p className="text-body text-ink-2">
          Your password has been saved. Leave both fields empty unless you want to change it.
        </p>
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <PasswordField
          name="password"
          isRequired={!hasPassword}
          autoComplete="new-password"
          hint={`At least ${minLength} characters`}
        />
        <ConfirmPassword isRequired={!hasPassword} />
      </div>
      <FormButtons>
        <Button isDisabled>Previous</Button>
        <SubmitButton>Next</SubmitButton>
      </FormButtons>
      <p className="text-body text-ink-2">
        Already have an account?{' '}
        <a href="/login" className="link">
          Log in
        </a>
      </p>
    </Form>
  )
}

/** Prevents pasting into a field that is typed twice to catch typing errors: pasting would copy the errors. */
function useNoPaste() {
  const [hasPasted, setPasted] = useState(false)
  return {
    note: (
      <p role="status" className="text-table text-ink-2 empty:hidden">
        {hasPasted ? 'Please type it again instead of pasting it, to catch typing errors.' : ''}
      </p>
    ),
    handlers: {
      onPaste(event: { preventDefault(): void }) {
        event.preventDefault()
        setPasted(true)
      },
      onDrop(event: { preventDefault(): void }) {
        event.preventDefault()
        setPasted(true)
      },
    },
  }
}

function ConfirmEmail() {
  const { values } = useFormState()
  const { note, handlers } = useNoPaste()
  return (
    <Field name="confirmEmail" isRequired>
      {(control) => (
        <>
          <Input
            {...control}
            {...handlers}
            name="confirmEmail"
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={254}
            defaultValue={values.confirmEmail}
          />
          {note}
        </>
      )}
    </Field>
  )
}

function ConfirmPassword({ isRequired }: { isRequired: boolean }) {
  const { note, handlers } = useNoPaste()
  return (
    // The hint is as high as the password's hint, so that the two fields line up.
    <Field name="password2" isRequired={isRequired} hint="Enter the same password again">
      {(control) => (
        <>
          <Password {...control} {...handlers} name="password2" autoComplete="new-password" maxLength={200} />
          {note}
        </>
      )}
    </Field>
  )
}
