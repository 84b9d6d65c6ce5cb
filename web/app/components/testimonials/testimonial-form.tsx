import { LinkButton } from '../ui/button.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { CheckboxField, TextareaField, TextField } from '../ui/form-fields.tsx'
import { UnsavedGuard } from '../ui/unsaved-guard.tsx'

const labels = {
  quote: 'Quote',
  personName: 'Name',
  role: 'Role',
  company: 'Company',
  position: 'Position',
  isExample: 'Example',
}

interface TestimonialFormProps {
  /** Null for a new testimonial. */
  id: number | null
  values: Record<string, string>
  problem: Refusal | undefined
}

/** Adds or changes a testimonial of the landing page. */
export function TestimonialForm({ id, values, problem }: TestimonialFormProps) {
  const failure = id === null ? 'Testimonial not added' : 'Testimonial not updated'
  const hidden: Record<string, string> = id === null ? {} : { id: String(id) }
  const form = useForm({ problem, labels, values, failure, hidden, isMerged: id !== null, isRestorable: true })
  return (
    <Form form={form} className="card max-w-2xl space-y-5 p-4 lg:p-6">
      <UnsavedGuard includesQuery text="Your changes to this testimonial have not been saved." />
      <TextareaField name="quote" isRequired maxLength={400} hint="As they said it, with their permission." />
      <TextField name="personName" isRequired maxLength={100} />
      <TextField name="role" maxLength={100} hint="For example, Publisher" />
      <TextField name="company" maxLength={100} />
      <TextField
        name="position"
        isRequired
        inputMode="numeric"
        maxLength={2}
        className="max-w-24"
        hint="1 is shown first"
      />
      <CheckboxField
        name="isExample"
        label="A made-up example. It is marked as such, and is never shown in production."
      />
      <FormButtons>
        <SubmitButton>{id === null ? 'Add testimonial' : 'Save'}</SubmitButton>
        <LinkButton to="/testimonials">Cancel</LinkButton>
      </FormButtons>
    </Form>
  )
}
