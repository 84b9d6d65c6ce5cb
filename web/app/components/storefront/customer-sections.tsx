import { type FocusEvent, type FormEvent, useState } from 'react'
import { useT } from '../../i18n/use-t.tsx'
import { samplePassword } from '../first-run/sample-buyer.ts'
import { AddressFields } from './address-fields.tsx'
import { BuyerFields } from './buyer-fields.tsx'
import { Delivery } from './delivery-fields.tsx'
import { EmailNote } from './email-note.tsx'
import type { OwnProfile } from './own-values.ts'
import { ReturningCustomer } from './returning-customer.tsx'
import { ShopCard } from './shop-card.tsx'
import type { Shop } from './shop-frame.tsx'
import type { FormState } from './text-field.tsx'

interface CustomerSectionsProps {
  shop: Shop
  form: FormState
  buyer: OwnProfile | null
  country: string
  minPasswordLength: number
  isForIssues: boolean
  isGift: boolean
  onLogIn: () => void
}

/** Buyer details, billing address and delivery, for subscriptions and back issues alike. */
export function CustomerSections(props: CustomerSectionsProps) {
  const { shop, form, buyer, country, minPasswordLength, isForIssues, isGift, onLogIn } = props
  const t = useT()
  const [emailToCheck, setEmailToCheck] = useState('')
  return (
    <>
      <ShopCard heading={t('Your details')}>
        {!shop.preview && <ReturningCustomer shop={shop} buyer={buyer} country={country} onLogIn={onLogIn} />}
        <p className="mb-4 text-body text-ink-2">{t('Fields marked * are required.')}</p>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: it only listens for the email field losing focus */}
        <div
          onBlur={({ target }: FocusEvent<HTMLDivElement>) => {
            if (target instanceof HTMLInputElement && target.name === 'email') setEmailToCheck(target.value.trim())
          }}
          onInput={({ target }: FormEvent<HTMLDivElement>) => {
            if ((target as HTMLInputElement).name === 'email') setEmailToCheck('')
          }}
        >
          <BuyerFields
            form={form}
            buyer={buyer}
            minPasswordLength={minPasswordLength}
            passwordReason={
              isForIssues
                ? t('For your account with this publication.')
                : t('To manage your subscription and read online.')
            }
            emailNote={
              buyer === null &&
              !shop.preview && <EmailNote email={emailToCheck} publicationId={shop.id} onLogIn={onLogIn} />
            }
            samplePassword={shop.preview && samplePassword}
          />
        </div>
      </ShopCard>
      <ShopCard heading={t('Billing address')}>
        <AddressFields form={form} prefix="billing" country={country} needsCity={!isForIssues} />
      </ShopCard>
      <div className={isForIssues ? undefined : 'if-posted'}>
        <ShopCard heading={t('Delivery')}>
          <Delivery form={form} country={country} isForIssues={isForIssues} isGift={isGift} />
        </ShopCard>
      </div>
    </>
  )
}
