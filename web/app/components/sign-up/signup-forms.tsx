import { formatMoney, type Money } from '#core/kernel/money.ts'
import type { PaidSignup } from '#core/signup/list-signups.query.ts'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Section } from '../ui/facts.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { SelectField, TextareaField, TextField } from '../ui/form-fields.tsx'
import { GoneFormProblem } from '../ui/gone-form-problem.tsx'
import { PersonFields } from '../users/person-fields.tsx'

const labels = {
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  companyName: 'Company',
  country: 'Country',
}

const failures = { register: 'Not registered', refund: 'Not refunded', close: 'Not marked as settled' }

/** Shows the refusal of a form that the page no longer has, because somebody else has settled the sign-up. */
export function GoneSignupProblem({ status, problem }: { status: PaidSignup['status']; problem: Refusal }) {
  const { canRegister = false, canRefund = false, canClose = false } = status ?? {}
  const shown = { register: canRegister, refund: canRefund, close: canClose }
  const note = problem.values?.note
  return <GoneFormProblem problem={problem} shown={shown} failures={failures} typed={note && `note entered: ${note}`} />
}

/** Registers a paid sign-up manually, with another email if the first is taken. */
export function RegisterSignupForm({
  values,
  countries,
  problem,
}: {
  values: PaidSignup['values']
  countries: readonly { code: string; name: string }[]
  problem: Refusal | undefined
}) {
  const form = useForm({
    problem,
    labels,
    values,
    identifiedBy: { intent: 'register' },
    failure: failures.register,
    isRestorable: true,
  })
  return (
    <Section title="Register by hand">
      <Form form={form} className="space-y-5">
        <p className="text-body text-ink-2">
          Creates the publisher for this payment; the plan continues. A password chosen at sign-up is kept; otherwise an
          invitation to set one is sent with the welcome email.
        </p>
        <PersonFields />
        <TextField name="companyName" isRequired maxLength={200} />
        <SelectField
          name="country"
          isRequired
          hint="The country whose price was paid: with VAT in the United Kingdom, without it elsewhere."
          options={[
            { value: '', label: 'Choose' },
            ...countries.map(({ code, name }) => ({ value: code, label: name })),
          ]}
        />
        <FormButtons>
          <SubmitButton>Register</SubmitButton>
        </FormButtons>
      </Form>
    </Section>
  )
}

/** Refunds a paid sign-up. */
export function RefundSignupForm({
  money,
  name,
  isRequested,
  problem,
}: {
  money: Money
  name: string
  /** Whether the refund was requested and the provider has not responded. */
  isRequested: boolean
  problem: Refusal | undefined
}) {
  const form = useForm({ problem, identifiedBy: { intent: 'refund' }, failure: failures.refund })
  return (
    <Section title="Refund">
      <Form form={form} className="space-y-4">
        <p className="text-body text-ink-2">
          {isRequested
            ? 'Asks the payment provider for the state of the refund.'
            : 'The payment provider sends the whole payment back to where it came from, and the subscription is stopped.'}
        </p>
        <FormButtons>
          {isRequested ? (
            <SubmitButton kind="secondary">Ask again now</SubmitButton>
          ) : (
            <ConfirmButton
              form={form}
              label={`Refund ${formatMoney(money)}`}
              title={`Refund ${formatMoney(money)} to ${name}?`}
              text="The subscription is stopped, and this payment can no longer be used to register a publisher. This cannot be undone."
              isDangerous
            />
          )}
        </FormButtons>
      </Form>
    </Section>
  )
}

/** Records that a paid sign-up was settled by other means, and how. */
export function CloseSignupForm({ problem }: { problem: Refusal | undefined }) {
  const form = useForm({
    problem,
    labels: { note: 'How it was settled' },
    identifiedBy: { intent: 'close' },
    failure: failures.close,
  })
  return (
    <Section title="Settled elsewhere">
      <Form form={form} className="space-y-5">
        <p className="text-body text-ink-2">
          If the payment was refunded by other means, such as a bank transfer. Nothing is refunded from here, and the
          subscription is stopped.
        </p>
        <TextareaField name="note" isRequired maxLength={500} />
        <FormButtons>
          <SubmitButton kind="secondary">Mark as settled</SubmitButton>
        </FormButtons>
      </Form>
    </Section>
  )
}
