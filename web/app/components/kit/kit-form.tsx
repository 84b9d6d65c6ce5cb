import { Form, useNavigation } from '@remix-run/react'
import type { FieldErrors } from '#core/kernel/errors.ts'
import { Button } from '../ui/button.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { Section } from '../ui/facts.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/inputs.tsx'

interface KitFormProps {
  problem:
    | { message: string; hint: string | undefined; fields: FieldErrors; values: Record<string, string> }
    | undefined
}

/** A form as every form works: refused with a summary, or done with a redirect and a toast. */
export function KitForm({ problem }: KitFormProps) {
  const isPending = useNavigation().formMethod === 'POST'
  return (
    <Section title="A form and its answers">
      <Form method="post" noValidate className="max-w-md space-y-4">
        {problem && <ErrorSummary message={problem.message} hint={problem.hint} fields={problem.fields} />}
        <Field
          label="Word"
          name="word"
          isRequired
          hint="Left empty it is refused; anything else comes back as a toast."
          error={problem?.fields.word}
        >
          {(control) => <Input {...control} name="word" maxLength={40} defaultValue={problem?.values.word} />}
        </Field>
        <Button type="submit" kind="primary" isPending={isPending}>
          Save word
        </Button>
      </Form>
    </Section>
  )
}
