import { openEnd } from '#core/kernel/dates.ts'
import type { OwnAgreement } from '#core/renewals/own-agreements.query.ts'
import { useT } from '../../i18n/use-t.tsx'
import { planText } from '../storefront/plan-text.ts'
import { ShopCard } from '../storefront/shop-card.tsx'
import { ShopLink } from '../storefront/shop-link.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'

interface TurnOffRenewalConfirmationProps {
  agreement: OwnAgreement
  accountPath: string
  problem: Refusal | undefined
}

/** Confirms turning off a renewal, and says until when the subscription still runs. */
export function TurnOffRenewalConfirmation({ agreement, accountPath, problem }: TurnOffRenewalConfirmationProps) {
  const t = useT()
  const form = useForm({ problem })
  const isOpenEnded = agreement.renewsOn === openEnd
  return (
    <ShopCard>
      <Form form={form} className="space-y-5">
        <p className="text-input">
          {isOpenEnded
            ? t('Your subscription runs until further notice. As long as it does, nothing is charged.')
            : t('Your subscription “{plan}” runs until {day}. You get everything you have paid for.', {
                plan: planText(t, agreement.plan),
                day: t.day(agreement.renewsOn),
              })}
        </p>
        <p className="text-input text-ink-2">
          {isOpenEnded
            ? t('When it is turned off, no more money is taken. You can subscribe again at any time.')
            : t('When it is turned off, no more money is taken after that day. You can subscribe again at any time.')}
        </p>
        <FormButtons>
          <ShopLink to={accountPath}>{t('Keep it on')}</ShopLink>
          <SubmitButton kind="danger" size="large">
            {t('Turn off automatic renewal')}
          </SubmitButton>
        </FormButtons>
      </Form>
    </ShopCard>
  )
}
