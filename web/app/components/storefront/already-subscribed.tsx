import { useRef } from 'react'
import type { PlanOption } from '#core/pricing/price-table.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { Banner } from '../ui/banner.tsx'
import { FieldError, fieldId } from '../ui/field.tsx'
import type { OwnProfile } from './own-values.ts'
import { PerPlan } from './per-plan.tsx'
import type { FormState } from './text-field.tsx'

const name = 'isSecondMeant'

/**
 * The buyer's existing subscriptions, before another is bought. A logged-in buyer sees them next to the button, other buyers only after
 * submitting with the password, when the server knows the account and asks for confirmation.
 */
export function AlreadySubscribed({
  buyer,
  plans,
  form,
}: {
  buyer: OwnProfile | null
  plans: readonly PlanOption[]
  form: FormState
}) {
  const t = useT()
  const error = form.errors[name]
  const isRequested = useRef(false)
  if (error) isRequested.current = true
  if (buyer) {
    if (!plans.some(({ product }) => buyer.alreadySubscribed[product])) return null
    return (
      <div className="mt-6 [.shop:has([data-posted=yes]:checked):has([name=isGift]:checked)_&]:hidden">
        <input type="hidden" name={name} value="true" />
        <Banner>
          <PerPlan plans={plans}>
            {({ product }) => {
              const current = buyer.alreadySubscribed[product]
              return current && t.phrase(current)
            }}
          </PerPlan>
        </Banner>
      </div>
    )
  }
  if (!isRequested.current) return null
  const id = fieldId(name)
  return (
    <div className="mt-6">
      {error && <FieldError id={`${id}-error`}>{t.phrase(error)}</FieldError>}
      <label htmlFor={id} className="mt-2 flex items-start text-input">
        <input
          id={id}
          type="checkbox"
          name={name}
          value="true"
          aria-describedby={error ? `${id}-error` : undefined}
          className="mt-0.5 mr-2.5 size-4.5 shrink-0 accent-ink"
        />
        {t('Yes, I want to order it anyway')}
      </label>
    </div>
  )
}
