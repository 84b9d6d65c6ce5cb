import type { FormProblem } from '../../http/form.ts'
import { Form, FormButtons, SubmitButton, useForm } from '../ui/form.tsx'
import { PasswordField } from '../ui/form-fields.tsx'

interface PasswordActionProps {
  intent: string
  /** The field's name: the page has more than one such form. */
  name: string
  label: string
  kind: 'primary' | 'secondary' | 'danger'
  problem: FormProblem | undefined
}

/** An action that needs the current password. */
export function PasswordAction({ intent, name, label, kind, problem }: PasswordActionProps) {
  const form = useForm({
    problem,
    identifiedBy: { intent },
    labels: { [name]: 'Your current password' },
    isUnmarked: true,
  })
  return (
    <Form form={form} className="max-w-sm space-y-4">
      <PasswordField name={name} autoComplete="current-password" />
      <FormButtons>
        <SubmitButton kind={kind}>{label}</SubmitButton>
      </FormButtons>
    </Form>
  )
}
