import { orderLimits } from '#core/orders/order-limits.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { Field } from '../ui/field.tsx'
import { Textarea } from '../ui/inputs.tsx'
import { AddressFields } from './address-fields.tsx'
import { type FormState, TextField } from './text-field.tsx'

interface DeliveryProps {
  form: FormState
  country: string
  /** Whether the form is for back issues, which can be sent to any address, but not as a gift. */
  isForIssues?: boolean
  /** Whether the order can be a gift. */
  canBeGift?: boolean
  /** Whether the order is a gift, so that the recipient's name is required. False before the page's script runs; the server then checks the name. */
  isGift?: boolean
}

/** The delivery address. CSS shows the fields by the checkboxes, so that it works without JavaScript. */
export function Delivery({
  form,
  country,
  isForIssues = false,
  canBeGift = !isForIssues,
  isGift = false,
}: DeliveryProps) {
  const t = useT()
  const checkboxClass = 'mt-0.75 size-4.5 shrink-0 accent-ink'
  return (
    <div className="delivery">
      {/* A gift is never sent to the buyer: ticking it hides the other checkbox. */}
      <div className="flex gap-2.5 [.delivery:has([name=isGift]:checked)_&]:hidden">
        <input type="hidden" name="isDeliveredToBilling" value="false" />
        <input
          id="same-address"
          type="checkbox"
          name="isDeliveredToBilling"
          value="true"
          defaultChecked={form.values.isDeliveredToBilling !== 'false'}
          className={checkboxClass}
        />
        <label htmlFor="same-address" className="text-input">
          {t('Same as the billing address')}
        </label>
      </div>
      {canBeGift && (
        <div className="mt-3 flex gap-2.5">
          <input type="hidden" name="isGift" value="false" />
          <input
            id="is-gift"
            type="checkbox"
            name="isGift"
            value="true"
            defaultChecked={form.values.isGift === 'true'}
            className={checkboxClass}
          />
          <label htmlFor="is-gift" className="text-input">
            {t('It is a gift for somebody else')}
          </label>
        </div>
      )}
      <div className="mt-5 grid gap-5 [.delivery:has(#same-address:checked):not(:has([name=isGift]:checked))_&]:hidden">
        <p className="hidden text-body text-ink-2 [.delivery:has([name=isGift]:checked)_&]:block">
          {t('Tell us who the gift is for and where to send it. We need their name.')}
        </p>
        <DeliveredTo form={form} country={country} needsCity={!isForIssues} isNameRequired={isGift} />
      </div>
      {canBeGift && <GiftFields form={form} />}
    </div>
  )
}

/** The recipient and the address. */
export function DeliveredTo({
  form,
  country,
  needsCity,
  isNameRequired,
}: Pick<DeliveryProps, 'form' | 'country'> & { needsCity: boolean; isNameRequired: boolean }) {
  const t = useT()
  return (
    <>
      <TextField
        form={form}
        name="shipping.title"
        label={t('Title')}
        autoComplete="shipping honorific-prefix"
        maxLength={orderLimits.title}
        className="max-w-28"
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          form={form}
          name="shipping.firstName"
          label={t('First name')}
          isRequired={isNameRequired}
          autoComplete="shipping given-name"
          maxLength={orderLimits.firstName}
        />
        <TextField
          form={form}
          name="shipping.lastName"
          label={t('Last name')}
          isRequired={isNameRequired}
          autoComplete="shipping family-name"
          maxLength={orderLimits.lastName}
        />
      </div>
      <AddressFields form={form} prefix="shipping" country={country} needsCity={needsCity} />
    </>
  )
}

/** How the recipient is notified of the gift. */
function GiftFields({ form }: { form: FormState }) {
  const t = useT()
  const error = form.errors.giftMessage
  return (
    <div className="mt-5 hidden gap-5 [.delivery:has([name=isGift]:checked)_&]:grid">
      <TextField
        form={form}
        name="giftEmail"
        label={t('Recipient’s email')}
        hint={t('They get one email with your name and message. Leave this blank to send no email.')}
        type="email"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={orderLimits.email}
      />
      <Field label={t('Your message')} name="giftMessage" error={error && t.phrase(error)}>
        {(control) => (
          <Textarea
            {...control}
            name="giftMessage"
            maxLength={orderLimits.giftMessage}
            defaultValue={form.values.giftMessage}
          />
        )}
      </Field>
    </div>
  )
}
