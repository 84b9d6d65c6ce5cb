import type { ReactNode } from 'react'
import { addressLabels } from '#core/kernel/address-labels.rules.ts'
import { formatMoney, type Money } from '#core/kernel/money.ts'
import { orderLimits } from '#core/orders/order-limits.rules.ts'
import { staffPaymentMethodNames, termStarts } from '#core/orders/staff-payment-methods.rules.ts'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { ExpandableDetails } from '#web/app/components/ui/expandable-details.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { CheckboxField, SelectField, TextareaField, TextField } from '#web/app/components/ui/form-fields.tsx'
import { UnsavedGuard } from '#web/app/components/ui/unsaved-guard.tsx'

interface Plan {
  code: string
  label: string
}

interface Props {
  plans: readonly Plan[]
  questions: readonly { key: string; text: string; kind: 'yesNo' | 'text' }[]
  country: string
  /** The credit of the chosen reader; null if no reader is chosen. */
  credit: readonly Money[] | null
  hidden: Readonly<Record<string, string>>
  idempotencyKey: string
  /** The address of an empty form for another order. */
  freshFormUrl: string
  values: Readonly<Record<string, string>>
  /** Whether the user typed the values and has come back from the confirmation. */
  hasTypedValues: boolean
  problem: Refusal | undefined
}

const addressLines = [
  { name: 'companyName', label: 'Company' },
  { name: 'addressOne', label: 'Address line 1', isRequired: true },
  { name: 'addressTwo', label: 'Address line 2' },
  { name: 'addressThree', label: 'Address line 3' },
  { name: 'city', label: 'Town or city', isRequired: true },
] as const

const labels: Record<string, string> = {
  plan: 'Subscription',
  promoCode: 'Promo code',
  startOn: 'First day',
  title: 'Title',
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  mobile: 'Telephone',
  vatNumber: 'VAT number',
  method: 'Payment method',
  begins: 'When it begins',
  channel: 'How it was ordered',
  note: 'Reference or reason',
  giftEmail: 'Recipient’s email',
  giftMessage: 'Message from the giver',
  ...Object.fromEntries(
    ['billing', 'shipping'].flatMap((prefix) => addressLines.map(({ name, label }) => [`${prefix}.${name}`, label])),
  ),
  'shipping.title': 'Title',
  'shipping.firstName': 'First name',
  'shipping.lastName': 'Last name',
}

/** The warning before the user leaves an order that is typed or checked, but not placed. */
export const orderNotPlacedText = 'The order has not been placed, and what you typed would be lost.'

/** An order by phone or post. The server works out its price, and asks for confirmation before it is placed. */
export function StaffOrderForm({
  plans,
  questions,
  country,
  credit,
  hidden,
  idempotencyKey,
  freshFormUrl,
  values,
  hasTypedValues,
  problem,
}: Props) {
  const { postCode, state } = addressLabels(country)
  const otherLabels = Object.fromEntries([
    ...['billing', 'shipping'].flatMap((prefix) => [
      [`${prefix}.postCode`, postCode],
      [`${prefix}.state`, state?.label ?? 'State'],
    ]),
    ...questions.map(({ key, text }) => [`answers.${key}`, text]),
  ]) as Record<string, string>
  const form = useForm({
    problem,
    labels: { ...labels, ...otherLabels },
    values,
    hidden,
    keys: { idempotencyKey },
    failure: 'Order not placed',
    isRestorable: true,
    ...(hasTypedValues ? { isChanged: true } : {}),
  })
  // A conflict that names no field: usually the order of this form has already been placed with its idempotency key.
  const isKeyUsed = problem?.keepsKeys === false && Object.keys(problem.fields ?? {}).length === 0
  const hasOtherRecipient =
    form.values.isGift === 'true' ||
    form.values.isDeliveredToBilling === 'false' ||
    Object.keys(form.errors).some((name) => name.startsWith('shipping.') || name.startsWith('gift'))
  const address = (prefix: 'billing' | 'shipping', isRequired: boolean) => (
    <>
      {addressLines.map((line) => (
        <TextField
          key={line.name}
          name={`${prefix}.${line.name}`}
          maxLength={orderLimits[line.name]}
          isRequired={isRequired && 'isRequired' in line}
        />
      ))}
      {state && (
        <TextField name={`${prefix}.state`} maxLength={orderLimits.state} isRequired={isRequired && state.isRequired} />
      )}
      <TextField name={`${prefix}.postCode`} maxLength={orderLimits.postCode} isRequired={isRequired} />
    </>
  )
  return (
    <Form form={form} className="mt-4 space-y-4">
      <UnsavedGuard text={orderNotPlacedText} includesQuery />
      <Part title="What is ordered">
        <SelectField name="plan" isRequired options={plans.map(({ code, label }) => ({ value: code, label }))} />
        <TextField name="promoCode" maxLength={orderLimits.promoCode} />
        <TextField
          name="startOn"
          maxLength={10}
          placeholder="31/12/2026"
          hint="Leave blank for today. A new term follows a running subscription."
        />
      </Part>
      <Part title="Ordered by">
        <TextField name="title" maxLength={orderLimits.title} />
        <TextField name="firstName" maxLength={orderLimits.firstName} isRequired />
        <TextField name="lastName" maxLength={orderLimits.lastName} isRequired />
        <TextField name="email" type="email" maxLength={orderLimits.email} isRequired />
        <TextField name="mobile" type="tel" maxLength={orderLimits.mobile} />
        {address('billing', true)}
        <TextField
          name="vatNumber"
          maxLength={20}
          hint="Of a business in the UK or the EU, with its country code: DE123456789."
        />
      </Part>
      <ExpandableDetails className="card p-4 lg:p-5" isOpen={hasOtherRecipient}>
        <summary className="cursor-pointer text-h3">A gift, or another delivery address</summary>
        <div className="mt-4 grid gap-5 sm:grid-cols-2">
          <div className="space-y-3 sm:col-span-2">
            <CheckboxField name="isDeliveredToBilling" label="Deliver to the address above" />
            <CheckboxField name="isGift" label="It is a gift for the person below" />
          </div>
          <TextField name="shipping.title" maxLength={orderLimits.title} />
          <TextField name="shipping.firstName" maxLength={orderLimits.firstName} />
          <TextField name="shipping.lastName" maxLength={orderLimits.lastName} />
          {address('shipping', false)}
          <TextField
            name="giftEmail"
            type="email"
            maxLength={orderLimits.email}
            hint="They get one email with the giver’s name and message. Leave blank to send no notice."
          />
          <TextareaField name="giftMessage" maxLength={orderLimits.giftMessage} />
        </div>
      </ExpandableDetails>
      {questions.length > 0 && (
        <Part title="Questions">
          {questions.map(({ key, kind }) =>
            kind === 'yesNo' ? (
              <SelectField
                key={key}
                name={`answers.${key}`}
                isRequired
                options={[
                  { value: '', label: 'Choose' },
                  { value: 'Yes', label: 'Yes' },
                  { value: 'No', label: 'No' },
                ]}
              />
            ) : (
              <TextField key={key} name={`answers.${key}`} isRequired maxLength={orderLimits.answer} />
            ),
          )}
        </Part>
      )}
      <Part title="Payment">
        <SelectField name="method" isRequired options={paymentMethodOptions(credit)} />
        <SelectField
          name="begins"
          hint="For “Bill me” only. Until the invoice is paid, nothing is sent."
          options={Object.entries(termStarts).map(([value, label]) => ({ value, label }))}
        />
        <SelectField
          name="channel"
          isRequired
          options={[
            { value: 'phone', label: 'By phone' },
            { value: 'post', label: 'By post' },
          ]}
        />
        <TextField
          name="note"
          maxLength={300}
          hint="The cheque number, transfer reference or purchase order number; for a free copy, the reason."
        />
        <div className="self-end pb-2">
          <CheckboxField name="sendsReceipt" label="Email the receipt or the invoice to the buyer" />
        </div>
      </Part>
      <FormButtons>
        <SubmitButton>Check the order</SubmitButton>
        {isKeyUsed && (
          <LinkButton to={freshFormUrl} reloadDocument onClick={form.backup.drop}>
            Start another order
          </LinkButton>
        )}
      </FormButtons>
    </Form>
  )
}

/** The payment methods to choose from, without credit for a reader who has none. */
function paymentMethodOptions(credit: readonly Money[] | null) {
  const creditText = credit?.map((money) => formatMoney(money)).join(', ')
  return Object.entries(staffPaymentMethodNames)
    .filter(([method]) => method !== 'credit' || creditText !== '')
    .map(([value, label]) => ({
      value,
      label: value === 'credit' && creditText ? `Credit of this reader (${creditText} left)` : label,
    }))
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="card p-4 lg:p-5">
      <h2 className="text-h3">{title}</h2>
      <div className="mt-4 grid gap-5 sm:grid-cols-2">{children}</div>
    </section>
  )
}
