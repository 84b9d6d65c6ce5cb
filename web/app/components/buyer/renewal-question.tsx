import { Form, useNavigation } from '@remix-run/react'
import type { OwnAgreement } from '#core/payments/own-agreements.query.ts'
import { useT } from '../../i18n/use-t.tsx'
import { planText } from '../storefront/plan-text.ts'
import { ShopCard } from '../storefront/shop-card.tsx'
import { Button } from '../ui/button.tsx'
import { Refusal, type Refused } from './refusal.tsx'
import { ShopLink } from './shop-link.tsx'

interface RenewalQuestionProps {
  agreement: OwnAgreement
  accountPath: string
  problem: Refused | undefined
}

/** Asks before a renewal is turned off, and says what stays. */
export function RenewalQuestion({ agreement, accountPath, problem }: RenewalQuestionProps) {
  const t = useT()
  const isPending = useNavigation().formMethod === 'POST'
  return (
    <ShopCard>
      <Form method="post" className="space-y-5">
        <Refusal problem={problem} />
        <p className="text-input">
          {t('Your subscription “{plan}” runs until {day}. You get everything you have paid for.', {
            plan: planText(t, agreement.plan),
            day: t.day(agreement.renewsOn),
          })}
        </p>
        <p className="text-input text-ink-2">
          {t('When it is turned off, no more money is taken after that day. You can subscribe again at any time.')}
        </p>
        <div className="flex flex-wrap gap-3">
          <ShopLink to={accountPath}>{t('Keep it on')}</ShopLink>
          <Button type="submit" kind="danger" size="large" isPending={isPending}>
            {t('Turn off automatic renewal')}
          </Button>
        </div>
      </Form>
    </ShopCard>
  )
}
