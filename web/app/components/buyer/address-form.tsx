import { Form, useNavigation } from '@remix-run/react'
import { addressLabels } from '#core/kernel/address-labels.rules.ts'
import { countryName } from '#core/kernel/countries.ts'
import type { PostalAddress } from '#core/kernel/postal-address.ts'
import { useT } from '../../i18n/use-t.tsx'
import { ShopButton } from '../storefront/shop-button.tsx'
import { ShopCard } from '../storefront/shop-card.tsx'
import { type FormState, TextField } from '../storefront/text-field.tsx'
import { Refusal, type Refused, useRefusal } from './refusal.tsx'

/** Where the copies are posted to. The country is the one that was paid for. */
export function AddressForm({ address, problem }: { address: PostalAddress; problem: Refused | undefined }) {
  const t = useT()
  const { errors, values } = useRefusal(problem)
  const isPending = useNavigation().formMethod === 'POST'
  const form: FormState = { errors, values: { ...address, ...values } }
  const { postCode, state } = addressLabels(address.country)
  return (
    <ShopCard>
      <Form method="post" noValidate className="grid gap-5 sm:grid-cols-2">
        {problem && (
          <div className="sm:col-span-2">
            <Refusal problem={problem} />
          </div>
        )}
        <TextField
          form={form}
          name="title"
          label={t('Title')}
          autoComplete="honorific-prefix"
          maxLength={30}
          className="max-w-28"
        />
        <div className="max-sm:hidden" />
        <TextField form={form} name="firstName" label={t('First name')} autoComplete="given-name" maxLength={100} />
        <TextField form={form} name="lastName" label={t('Last name')} autoComplete="family-name" maxLength={100} />
        <div className="grid gap-5 sm:col-span-2">
          <TextField form={form} name="companyName" label={t('Company')} autoComplete="organization" maxLength={200} />
          <TextField
            form={form}
            name="addressOne"
            label={t('Address line 1')}
            isRequired
            autoComplete="address-line1"
            maxLength={200}
          />
          <TextField
            form={form}
            name="addressTwo"
            label={t('Address line 2')}
            autoComplete="address-line2"
            maxLength={200}
          />
          <TextField
            form={form}
            name="addressThree"
            label={t('Address line 3')}
            autoComplete="address-line3"
            maxLength={200}
          />
        </div>
        <TextField form={form} name="city" label={t('Town or city')} autoComplete="address-level2" maxLength={100} />
        {state && (
          <TextField form={form} name="state" label={t(state.label)} autoComplete="address-level1" maxLength={100} />
        )}
        <TextField
          form={form}
          name="postCode"
          label={t(postCode)}
          isRequired
          autoComplete="postal-code"
          autoCapitalize="characters"
          maxLength={20}
          className="max-w-44"
        />
        <p className="text-body text-ink-2 sm:col-span-2">
          {t(
            'Country: {country}. To have it sent to another country, write to the publisher at the foot of this page.',
            {
              country: countryName(address.country),
            },
          )}
        </p>
        <div className="sm:col-span-2">
          <ShopButton isPending={isPending}>{t('Save the address')}</ShopButton>
        </div>
      </Form>
    </ShopCard>
  )
}
