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
 * The buyer's existing subscriptions, before another is bought. A logged-in buyer sees them next to the button, and confirms a second order of the same
 * product; other buyers are asked only after submitting with the password, when the server knows the account.
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
  const isRequested = useRef(false)
  if (form.errors[name]) isRequested.current = true
  const runningSubscription = ({ product }: PlanOption) => buyer?.alreadySubscribed[product] ?? null
  const samePlanSelectors = plans.flatMap((plan, index) =>
    runningSubscription(plan)?.isSame ? [`#plan-${index}:checked`] : [],
  )
  if (plans.some(runningSubscription)) {
    return (
      <div className="mt-6 [.shop:has([data-posted=yes]:checked):has([name=isGift]:checked)_&]:hidden">
        <Banner>
          <PerPlan plans={plans}>
            {(plan) => {
              const current = runningSubscription(plan)
              return current && t.phrase(current.message)
            }}
          </PerPlan>
        </Banner>
        {(samePlanSelectors.length > 0 || isRequested.current) && (
          <div className="if-again">
            {/* Hidden by CSS, so that it works without JavaScript; browsers without `:has()` always show it. */}
            {!isRequested.current && (
              <style>{`.shop:not(:has(${samePlanSelectors.join()})) .if-again{display:none}`}</style>
            )}
            <Confirmation form={form} />
          </div>
        )}
      </div>
    )
  }
  if (!isRequested.current) return null
  return (
    <div className="mt-6">
      <Confirmation form={form} />
    </div>
  )
}

function Confirmation({ form }: { form: FormState }) {
  const t = useT()
  const id = fieldId(name)
  const error = form.errors[name]
  return (
    <>
      {error && <FieldError id={`${id}-error`}>{t.phrase(error)}</FieldError>}
      <label htmlFor={id} className="mt-2 flex items-start text-input">
        <input
          id={id}
          type="checkbox"
          name={name}
          value="true"
          defaultChecked={form.values[name] === 'true'}
          aria-describedby={error ? `${id}-error` : undefined}
          className="mt-0.5 mr-2.5 size-4.5 shrink-0 accent-ink"
        />
        {t('Yes, I want to order it anyway')}
      </label>
    </>
  )
}
