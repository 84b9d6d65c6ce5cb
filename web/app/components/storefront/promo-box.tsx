import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import type { Phrase } from '#core/kernel/phrases.ts'
import { orderLimits } from '#core/orders/order-limits.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { FieldError, fieldId } from '../ui/field.tsx'
import { Input } from '../ui/inputs.tsx'
import { Disclosure } from './disclosure.tsx'
import { fillFields } from './fill-fields.ts'
import type { Promo } from './order-response.ts'
import type { FormState } from './text-field.tsx'

/** A promo code from the link that does not apply. */
export interface RefusedPromo {
  code: string
  message: Phrase
}

interface PromoBoxProps {
  form: FormState
  promo: Promo | null
  refusedLink: RefusedPromo | null
}

const removeClass = 'mt-1 min-h-6 text-body underline underline-offset-3 hover:decoration-2'

/**
 * The promo code field, collapsed because an open field makes people leave to search for codes. An applied code is shown instead of it, and can be
 * removed.
 */
export function PromoBox({ form, promo, refusedLink }: PromoBoxProps) {
  const t = useT()
  const applied = useRef<HTMLParagraphElement>(null)
  const wasApplied = useRef(promo !== null)
  const [isRemoved, setRemoved] = useState(false)
  useEffect(() => {
    // The element that had the focus is gone. If the code was applied or removed by other means, the focus stays where it is.
    if ((promo !== null) !== wasApplied.current && document.activeElement === document.body)
      (applied.current ?? document.getElementById(fieldId('promoCode')))?.focus()
    wasApplied.current = promo !== null
    if (promo) setRemoved(false)
  }, [promo])
  if (promo) {
    return (
      <>
        <input type="hidden" name="promoCode" value={promo.code} />
        <p ref={applied} role="status" tabIndex={-1} className="mt-2 text-body text-ink-2 wrap-anywhere outline-none">
          {t('Promo code {code}', { code: promo.code })}
        </p>
        <button
          type="submit"
          name="intent"
          value="withoutPromo"
          onClick={() => setRemoved(true)}
          className={removeClass}
        >
          {t('Remove the code')}
        </button>
      </>
    )
  }
  const refusal = form.errors.promoCode && t.phrase(form.errors.promoCode)
  // The field stays empty: a code that the buyer did not type must not block the order.
  const error = refusal ?? (refusedLink && `${refusedLink.code}: ${t.phrase(refusedLink.message)}`)
  const id = fieldId('promoCode')
  return (
    <Disclosure label={t('Have a promo code?')} isOpen={isRemoved || Boolean(error || form.values.promoCode)}>
      <label htmlFor={id} className="mt-2 block text-body font-medium text-ink-2">
        {t('Promo code')}
      </label>
      <div className="mt-1.5 flex max-w-sm gap-2">
        <Input
          id={id}
          name="promoCode"
          defaultValue={isRemoved ? '' : form.values.promoCode}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={orderLimits.promoCode}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          onKeyDown={applyOnEnter}
          className="h-12!"
        />
        <button
          type="submit"
          name="intent"
          value="promo"
          className="min-h-12 shrink-0 rounded-input border border-control bg-surface px-4 text-body font-medium hover:bg-subtle"
        >
          {t('Apply')}
        </button>
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {refusal && (
        <button type="button" onClick={removeCode} className={removeClass}>
          {t('Remove the code')}
        </button>
      )}
    </Disclosure>
  )
}

/** Empties the field, which also clears the error. */
function removeCode({ currentTarget }: MouseEvent<HTMLButtonElement>): void {
  const disclosure = currentTarget.closest('details')
  if (disclosure) fillFields(disclosure, { promoCode: '' })
  document.getElementById(fieldId('promoCode'))?.focus()
}

/** Enter applies the code instead of submitting the order. */
function applyOnEnter(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Enter') return
  event.preventDefault()
  event.currentTarget.parentElement?.querySelector('button')?.click()
}
