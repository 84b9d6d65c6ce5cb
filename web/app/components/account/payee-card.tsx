import type { PayeeCheckResult } from '#core/accounts/check-payee-keys.ts'
import { payees } from '#core/accounts/payee-keys.rules.ts'
import type { PayeeView } from '#core/accounts/payee-view.ts'
import type { FormProblem } from '../../http/form.ts'
import { Badge } from '../ui/badge.tsx'
import { Banner } from '../ui/banner.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { Form, FormButtons, SubmitButton, useForm } from '../ui/form.tsx'
import { PasswordField } from '../ui/form-fields.tsx'
import { accountLabels } from './account-labels.ts'
import { Collapsible } from './collapsible.tsx'
import { PayeeKeysForm } from './payee-keys-form.tsx'

interface PayeeCardProps {
  payee: PayeeView
  /** The other providers that buyers could pay through. */
  others: readonly string[]
  problem: FormProblem | undefined
  checkResult: PayeeCheckResult | undefined
}

const tones = { works: 'success', refused: 'danger', noAnswer: 'warning' } as const

/** A payment provider: whether it is connected, the stored keys, and forms to check, replace and remove them. */
export function PayeeCard({ payee, others, problem, checkResult }: PayeeCardProps) {
  const { provider, state, fields, messagesTo } = payee
  const { name } = payees[provider]
  const check = useForm({ problem, identifiedBy: { intent: 'check', provider } })
  const removal = useForm({
    problem,
    identifiedBy: { intent: 'remove', provider },
    labels: accountLabels,
    isUnmarked: true,
  })
  const unreadable = fields.filter(({ isUnreadable }) => isUnreadable)
  return (
    <div className="rounded-card border border-line p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-body font-semibold">{name}</h3>
        <Status payee={payee} />
      </div>
      {state !== 'missing' && (
        <div className="mt-3">
          <Facts>
            {payees[provider].fields.map((definition, index) => (
              <Fact key={definition.name} label={definition.label}>
                {fields[index]?.value || 'Not set'}
              </Fact>
            ))}
            <Fact label={`Webhook URL to enter at ${name}`} isWide>
              {messagesTo}
            </Fact>
          </Facts>
        </div>
      )}
      <div className="mt-3 space-y-3">
        {unreadable.length > 0 && (
          <Banner tone="danger" title="Keys must be entered again">
            The application secret of this installation has changed, so the stored secrets can no longer be read.
          </Banner>
        )}
        <div role="status">
          {checkResult && <Banner tone={tones[checkResult.result]}>{checkResult.message}</Banner>}
        </div>
        {state === 'connected' && (
          <Form form={check} preventScrollReset className="space-y-3">
            <FormButtons>
              <SubmitButton kind="secondary" size="small" aria-label={`Check these keys: ${name}`}>
                Check these keys
              </SubmitButton>
            </FormButtons>
          </Form>
        )}
        <PayeeKeysForm payee={payee} problem={problem} />
        {state !== 'missing' && (
          <Collapsible label="Remove keys" about={name} isOpen={Boolean(removal.problem)}>
            <Form form={removal} preventScrollReset className="max-w-md space-y-4">
              <p className="text-body">{removalEffectText(payee, others)}</p>
              <PasswordField name={`${provider}.removePassword`} autoComplete="current-password" />
              <FormButtons>
                <SubmitButton kind="danger">{`Remove ${name} keys`}</SubmitButton>
              </FormButtons>
            </Form>
          </Collapsible>
        )}
      </div>
    </div>
  )
}

function Status({ payee: { state, mode } }: { payee: PayeeView }) {
  if (state === 'missing') return <Badge>Not connected</Badge>
  if (state === 'incomplete') return <Badge tone="danger">Needs attention</Badge>
  return (
    <span className="flex gap-1.5">
      <Badge tone="success">Connected</Badge>
      {mode === 'test' && <Badge tone="warning">Test mode</Badge>}
    </span>
  )
}

/** How removing the keys affects buyers. */
function removalEffectText({ provider }: PayeeView, others: readonly string[]): string {
  const { name, offers } = payees[provider]
  return others.length > 0
    ? `Buyers will no longer be offered ${offers}. They can still pay through ${others.join(' and ')}.`
    : `No other provider is connected. Without ${name}, buyers see that payments cannot currently be taken and are asked to contact you, quoting error code AC74.`
}
