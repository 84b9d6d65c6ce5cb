import { useActionData } from '@remix-run/react'
import type { Money as MoneyValue } from '#core/kernel/money.ts'
import type { FormProblem } from '../../http/form.ts'
import { problemOf } from '../../http/problem.ts'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Form, FormButtons, useForm } from '../ui/form.tsx'
import { Money } from '../ui/formats.tsx'
import { GoneFormProblem } from '../ui/gone-form-problem.tsx'

interface RenewalButtonsProps {
  agreementId: number
  /** The id of the declined renewal; null if no payment is due. */
  failedId: number | null
  /** The reader's name; empty if there is none. */
  name: string
  money: MoneyValue
  isDebit: boolean
  lastFour: string
  /** Whether the card can be replaced. */
  canChangeCard: boolean
  /** Idempotency key of the button that sends an email. */
  linkKey: string
  size?: 'small' | 'medium'
  /** Disables the buttons: the id of the text that says why. */
  blockedBy?: string | undefined
}

const failures = { retry: 'Not charged', 'card-link': 'The link was not sent', stop: 'Not stopped' }

/** Shows the refusal of a form that the page no longer has, because somebody else has charged or stopped the renewal. */
export function GoneRenewalProblem({
  failed,
  agreements,
}: {
  failed: readonly number[]
  agreements: readonly number[]
}) {
  const problem = problemOf(useActionData<{ problem: FormProblem }>())
  if (!problem) return null
  const id = Number(problem.values.id)
  const shown = { retry: failed.includes(id), 'card-link': agreements.includes(id), stop: agreements.includes(id) }
  return (
    <div className="mb-4 empty:hidden">
      <GoneFormProblem problem={problem} shown={shown} failures={failures} />
    </div>
  )
}

/** Staff actions for an active automatic renewal: retry a declined charge, ask for another card, stop it. */
export function RenewalButtons({
  agreementId,
  failedId,
  name,
  money,
  isDebit,
  lastFour,
  canChangeCard,
  linkKey,
  size = 'medium',
  blockedBy,
}: RenewalButtonsProps) {
  const problem = problemOf(useActionData<{ problem: FormProblem }>())
  const agreement = String(agreementId)
  const retry = useForm({ problem, identifiedBy: { intent: 'retry', id: String(failedId) }, failure: failures.retry })
  const link = useForm({
    problem,
    identifiedBy: { intent: 'card-link', id: agreement },
    keys: { key: linkKey },
    failure: failures['card-link'],
  })
  const stop = useForm({ problem, identifiedBy: { intent: 'stop', id: agreement }, failure: failures.stop })
  const reader = name || 'this reader'
  return (
    <span className="flex flex-wrap gap-2">
      {failedId !== null && (
        <Form form={retry}>
          <FormButtons>
            <ConfirmButton
              form={retry}
              size={size}
              blockedBy={blockedBy}
              label="Try again now"
              title={`Charge ${reader} now?`}
              text={
                <>
                  <Money value={money} />{' '}
                  {lastFour
                    ? `to the ${isDebit ? 'account' : 'card'} ending ${lastFour}`
                    : 'by the agreed payment method'}
                  , at once. {isDebit ? '' : 'Banks decline cards that are tried too often.'}
                </>
              }
            />
          </FormButtons>
        </Form>
      )}
      {canChangeCard && (
        <Form form={link}>
          <FormButtons>
            <ConfirmButton
              form={link}
              size={size}
              blockedBy={blockedBy}
              label="Send a card link"
              title={`Send ${reader} a link to change the card?`}
              text={
                failedId === null
                  ? 'The reader gets an email with the link. Nothing is charged before the day of the renewal.'
                  : 'The reader gets an email with a link that needs no log-in. The card entered there is charged at once.'
              }
            />
          </FormButtons>
        </Form>
      )}
      <Form form={stop}>
        <FormButtons>
          <ConfirmButton
            form={stop}
            size={size}
            blockedBy={blockedBy}
            label="Stop the renewal"
            title={`Stop the renewal of ${reader}?`}
            text="No more money is taken, and the reader is notified by email. The reader can subscribe again at any time."
            isDangerous
          />
        </FormButtons>
      </Form>
    </span>
  )
}
