import { addressLabels } from '#core/kernel/address-labels.rules.ts'
import { countryName } from '#core/kernel/countries.ts'
import type { PostalAddress } from '#core/kernel/postal-address.ts'
import { useT } from '../../i18n/use-t.tsx'
import { ShopCard } from '../storefront/shop-card.tsx'
import { Form, type Refusal, useForm } from '../ui/form.tsx'
import { ShopSubmit, ShopTextField } from './shop-fields.tsx'

interface AddressFormProps {
  address: PostalAddress
  /** The subscription to change; if undefined, the form changes all subscriptions that share the address. */
  subscription: { readerId: number; isOneOfSeveral: boolean } | undefined
  problem: Refusal | undefined
}

/** The delivery address. Its country cannot change, because the price depends on it. */
export function AddressForm({ address, subscription, problem }: AddressFormProps) {
  const t = useT()
  const { postCode, state } = addressLabels(address.country)
  const form = useForm({
    problem,
    values: { ...address },
    labels: {
      title: t('Title'),
      firstName: t('First name'),
      lastName: t('Last name'),
      companyName: t('Company'),
      addressOne: t('Address line 1'),
      addressTwo: t('Address line 2'),
      addressThree: t('Address line 3'),
      city: t('Town or city'),
      state: t(state?.label ?? 'State'),
      postCode: t(postCode),
    },
    isRestorable: true,
    hidden: subscription ? { readerId: String(subscription.readerId) } : {},
  })
  return (
    <ShopCard>
      <Form form={form} className="grid gap-5">
        <ShopTextField name="title" autoComplete="honorific-prefix" maxLength={30} className="max-w-28" />
        <div className="grid gap-5 sm:grid-cols-2">
          <ShopTextField name="firstName" autoComplete="given-name" maxLength={100} />
          <ShopTextField name="lastName" autoComplete="family-name" maxLength={100} />
        </div>
        <ShopTextField name="companyName" autoComplete="organization" maxLength={200} />
        <ShopTextField name="addressOne" isRequired autoComplete="address-line1" maxLength={200} />
        <ShopTextField name="addressTwo" autoComplete="address-line2" maxLength={200} />
        <ShopTextField name="addressThree" autoComplete="address-line3" maxLength={200} />
        <div className="grid gap-5 sm:grid-cols-2">
          <ShopTextField name="city" autoComplete="address-level2" maxLength={100} />
          {/* A stored state is shown even for a country without states: if the field were left out, saving would erase it. */}
          {(state || address.state) && <ShopTextField name="state" autoComplete="address-level1" maxLength={100} />}
          <ShopTextField
            name="postCode"
            isRequired
            autoComplete="postal-code"
            autoCapitalize="characters"
            maxLength={20}
            className="max-w-44"
          />
        </div>
        <p className="text-body text-ink-2">
          {t(
            'Country: {country}. To have it sent to another country, contact the publisher: the details are at the foot of this page.',
            {
              country: countryName(address.country, t.language),
            },
          )}
        </p>
        {subscription?.isOneOfSeveral && (
          <label className="flex min-h-6 items-start gap-3 text-input">
            <input
              type="checkbox"
              name="appliesToAll"
              defaultChecked={!problem || problem.values?.appliesToAll === 'on'}
              className="mt-0.5 size-4.5 shrink-0 accent-ink"
            />
            {t('Also for your other subscriptions to the same address')}
          </label>
        )}
        <ShopSubmit>{t('Save the address')}</ShopSubmit>
      </Form>
    </ShopCard>
  )
}
