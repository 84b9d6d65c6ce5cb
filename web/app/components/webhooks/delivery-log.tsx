import { Form as PlainForm, useSearchParams } from '@remix-run/react'
import type { ShownDelivery } from '#core/webhooks/list-webhooks.query.ts'
import { testEvent, webhookEventTypes } from '#core/webhooks/webhook-events.rules.ts'
import { KeysetPagination } from '../emails/keyset-pagination.tsx'
import { CodeBlock } from '../partners/code-block.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Section } from '../ui/facts.tsx'
import { Field } from '../ui/field.tsx'
import { Form, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { Moment } from '../ui/formats.tsx'
import { Select } from '../ui/inputs.tsx'

const stateLabels = { waiting: 'Waiting', done: 'Delivered', failed: 'Failed' } as const

interface DeliveryLogProps {
  deliveries: readonly ShownDelivery[]
  next: number | null
  isPaused: boolean
  problem: Refusal | undefined
  timeZone: string
}

/** The deliveries of a webhook, with each attempt and its response, and buttons to resend them. */
export function DeliveryLog({ deliveries, next, isPaused, problem, timeZone }: DeliveryLogProps) {
  const [params] = useSearchParams()
  const isFiltered = ['state', 'type', 'before'].some((name) => params.has(name))
  const replayFailed = useForm({ problem, identifiedBy: { intent: 'replay-failed' }, failure: 'Nothing was resent' })
  const blocked = isPaused ? { blockedBy: 'webhook-paused' } : {}
  return (
    <Section title="Deliveries">
      <LogFilter />
      {deliveries.length === 0 ? (
        <p className="text-body text-ink-2">{isFiltered ? 'No delivery matches.' : 'Nothing has been sent yet.'}</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              isPaused={isPaused}
              problem={problem}
              timeZone={timeZone}
            />
          ))}
        </ul>
      )}
      <KeysetPagination newer={null} older={next} />
      <Form form={replayFailed} className="mt-4">
        <ConfirmButton
          form={replayFailed}
          size="small"
          label="Resend all failed"
          title="Resend all failed deliveries?"
          text="Every delivery that failed in the last 30 days and has not been delivered since will be resent, after those already waiting."
          {...blocked}
        />
      </Form>
    </Section>
  )
}

function LogFilter() {
  const [params] = useSearchParams()
  const choices = [
    { name: 'state', label: 'Status', all: 'All statuses', options: Object.entries(stateLabels) },
    {
      name: 'type',
      label: 'Event',
      all: 'All events',
      options: [...webhookEventTypes, testEvent].map((type) => [type, type]),
    },
  ]
  return (
    <PlainForm
      method="get"
      preventScrollReset
      role="search"
      aria-label="Filter deliveries"
      className="mb-4 grid grid-cols-2 items-end gap-3 md:flex"
    >
      {choices.map(({ name, label, all, options }) => (
        <div key={name} className="md:w-52">
          <Field label={label} name={name} isUnmarked>
            {(control) => (
              <Select {...control} name={name} key={params.get(name)} defaultValue={params.get(name) ?? ''}>
                <option value="">{all}</option>
                {options.map(([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
      ))}
      <div className="col-span-2">
        <Button type="submit" className="max-md:w-full">
          Show deliveries
        </Button>
      </div>
    </PlainForm>
  )
}

function DeliveryRow({
  delivery,
  isPaused,
  problem,
  timeZone,
}: { delivery: ShownDelivery } & Pick<DeliveryLogProps, 'isPaused' | 'problem' | 'timeZone'>) {
  const { id, type, state, attempts, problem: failure, messageId, body, tries, isReplay, createdAt, nextAt } = delivery
  const form = useForm({ problem, identifiedBy: { intent: 'replay', id: String(id) }, failure: 'Not resent' })
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <DeliveryState state={state} />
        <code className="text-body font-medium">{type}</code>
        <span className="text-table text-ink-2">
          <Moment at={createdAt} timeZone={timeZone} />
        </span>
        {isReplay && <Badge>Resent</Badge>}
      </div>
      {failure && (
        <p className="mt-1 text-table wrap-anywhere text-ink-2">
          {failure}. {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
          {nextAt && (
            <>
              , next <Moment at={nextAt} timeZone={timeZone} />
            </>
          )}
          .
        </p>
      )}
      <details className="mt-1">
        <summary className="flex min-h-8 cursor-pointer items-center text-table">
          <span className="link">
            Request and responses<span className="sr-only"> of delivery {id}</span>
          </span>
        </summary>
        <div className="space-y-3 rounded-card bg-subtle p-3">
          <p className="text-table wrap-anywhere">
            <code>webhook-id: {messageId}</code>
          </p>
          <CodeBlock label={`The payload of delivery ${id}`}>{body}</CodeBlock>
          {tries.map((attempt) => (
            <div key={attempt.at} className="border-t border-line pt-2 text-table">
              <p className="wrap-anywhere">
                <Moment at={new Date(attempt.at)} timeZone={timeZone} />: {attempt.status ?? 'no response'} after{' '}
                {attempt.ms} ms, from <code>{attempt.url}</code>
              </p>
              {attempt.answer !== '' && <CodeBlock label={`The response at ${attempt.at}`}>{attempt.answer}</CodeBlock>}
            </div>
          ))}
          {(state === 'done' || state === 'failed') && !isPaused && (
            <Form form={form}>
              <SubmitButton kind="secondary" size="small">
                Resend this delivery
              </SubmitButton>
            </Form>
          )}
        </div>
      </details>
    </li>
  )
}

function DeliveryState({ state }: { state: ShownDelivery['state'] }) {
  if (state === 'done') return <Badge tone="success">{stateLabels.done}</Badge>
  if (state === 'failed') return <Badge tone="danger">{stateLabels.failed}</Badge>
  return <Badge tone="info">{stateLabels.waiting}</Badge>
}
