import { Section } from '../ui/facts.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { TextField } from '../ui/form-fields.tsx'

/** A form with the shared behaviour: refused with a summary, or accepted with a redirect and a toast. */
export function KitForm({ problem }: { problem: Refusal | undefined }) {
  const form = useForm({ problem, labels: { word: 'Word' } })
  return (
    <Section title="A form and its responses">
      <Form form={form} className="max-w-md space-y-4">
        <TextField
          name="word"
          isRequired
          hint="An empty word is refused; any other is shown in a toast."
          maxLength={40}
        />
        <FormButtons>
          <SubmitButton>Save word</SubmitButton>
        </FormButtons>
      </Form>
    </Section>
  )
}
