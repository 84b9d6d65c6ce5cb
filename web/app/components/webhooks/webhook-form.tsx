import { type WebhookEvent, webhookEvents, webhookEventTypes } from '#core/webhooks/webhook-events.rules.ts'
import { Fieldset } from '../ui/field.tsx'
import { Form, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { CheckboxField, TextField } from '../ui/form-fields.tsx'
import { checkboxName, webhookValues } from './webhook-values.ts'

interface WebhookFormProps {
  intent: 'add' | 'change'
  webhook?: { url: string; description: string; events: readonly WebhookEvent[] }
  problem: Refusal | undefined
}

/** The URL and events of a webhook. */
export function WebhookForm({ intent, webhook, problem }: WebhookFormProps) {
  const values = webhookValues(webhook ?? { url: '', description: '', events: [] })
  const form = useForm({
    problem,
    identifiedBy: { intent },
    isMerged: webhook !== undefined,
    labels: { url: 'URL', description: 'Description', events: 'Events' },
    values,
    failure: intent === 'add' ? 'Webhook not added' : 'Webhook not changed',
    isRestorable: true,
  })
  return (
    <Form form={form} className="space-y-4">
      <TextField name="url" isRequired maxLength={500} inputMode="url" hint="Must begin with https://" />
      <TextField name="description" maxLength={60} hint="The system that receives the events, such as your CRM." />
      <Fieldset legend="Events" name="events" isRequired>
        {webhookEventTypes.map((type) => (
          <CheckboxField
            key={type}
            name={checkboxName(type)}
            label={
              <>
                {webhookEvents[type]} <code className="text-table text-ink-2">{type}</code>
              </>
            }
          />
        ))}
      </Fieldset>
      <SubmitButton>{intent === 'add' ? 'Add webhook' : 'Save'}</SubmitButton>
    </Form>
  )
}
