import { Button } from '../ui/button.tsx'
import { useCaptcha } from '../ui/captcha.tsx'
import { fieldId } from '../ui/field.tsx'
import { Form, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { TextareaField, TextField } from '../ui/form-fields.tsx'

const labels = { name: 'Name', phone: 'Phone', email: 'Email', message: 'Message', captcha: '', answer: 'Question' }

interface ContactFormProps {
  /** The question that replaces the captcha for browsers without JavaScript. */
  question: { question: string; token: string }
  problem: Refusal | undefined
}

/**
 * The contact form. Its button is enabled once the captcha is solved, which happens automatically; without JavaScript there is a question instead.
 */
export function ContactForm({ question, problem }: ContactFormProps) {
  const form = useForm({ problem, labels, failure: 'Your message was not sent', isRestorable: false })
  const { state, solved } = useCaptcha('/api/order/contactme/captcha', true, problem)
  return (
    <Form form={form} className="card space-y-5 p-5 md:p-8">
      <TextField name="name" isRequired maxLength={200} autoComplete="name" />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="email" isRequired type="email" maxLength={254} autoComplete="email" />
        <TextField name="phone" type="tel" maxLength={40} autoComplete="tel" />
      </div>
      <TextareaField name="message" isRequired maxLength={5000} rows={6} />
      <noscript>
        <input type="hidden" name="token" value={question.token} />
        <label htmlFor={fieldId('answer')} className="block text-body font-medium text-ink-2">
          {question.question} This keeps robots out.
        </label>
        <input
          id={fieldId('answer')}
          name="answer"
          autoComplete="off"
          required
          className="mt-1.5 mb-5 block h-11 w-full max-w-40 rounded-input border border-control bg-surface px-3 text-input"
        />
        {problem?.fields?.answer && (
          <p className="mb-5 text-table font-medium text-danger">{String(problem.fields.answer)}</p>
        )}
        <Button type="submit" kind="primary" size="large">
          Send message
        </Button>
      </noscript>
      <div id={fieldId('captcha')} tabIndex={-1} className="scripted min-h-12">
        <input type="hidden" name="captcha" value={solved} />
        {state === 'done' ? (
          <SubmitButton size="large">Send message</SubmitButton>
        ) : (
          <p role="status" className="py-3 text-body text-ink-2">
            {state === 'failed'
              ? 'The check that you are not a robot did not work in this browser. Please email us instead.'
              : 'Checking that you are not a robot. The button appears automatically, in a second or two.'}
          </p>
        )}
      </div>
    </Form>
  )
}
