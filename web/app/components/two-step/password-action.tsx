import { Form, useNavigation } from '@remix-run/react'
import type { FormProblem } from '../../http/form.ts'
import { Button } from '../ui/button.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { Field } from '../ui/field.tsx'
import { Password } from '../ui/inputs.tsx'

interface PasswordActionProps {
  intent: string
  /** The field's name: more than one such form stands on the page. */
  name: string
  label: string
  kind: 'primary' | 'secondary' | 'danger'
  problem: FormProblem | undefined
}

/** One thing that is done for the present password. */
export function PasswordAction({ intent, name, label, kind, problem: anyProblem }: PasswordActionProps) {
  const { formData } = useNavigation()
  const problem = anyProblem?.values.intent === intent ? anyProblem : undefined
  return (
    <Form method="post" noValidate className="max-w-sm space-y-4">
      <input type="hidden" name="intent" value={intent} />
      {problem && <ErrorSummary message={problem.message} hint={problem.hint} fields={problem.fields} />}
      <Field label="Your current password" name={name} isRequired isUnmarked error={problem?.fields[name]}>
        {(control) => <Password {...control} name={name} autoComplete="current-password" />}
      </Field>
      <Button type="submit" kind={kind} isPending={formData?.get('intent') === intent}>
        {label}
      </Button>
    </Form>
  )
}
