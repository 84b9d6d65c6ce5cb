import type { FieldPhrases } from '#core/kernel/phrases.ts'
import type { StorefrontQuestion } from '#core/storefronts/storefront.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { Banner } from '../ui/banner.tsx'
import { labelOf } from './order-labels.ts'

interface TypeAgainProps {
  order: { isRestored: boolean; problems: FieldPhrases | null }
  questions: readonly StorefrontQuestion[]
}

const neverKept = ['password', 'confirmPassword', 'payment.cardNumber']

/** Back on the form, as from the page of a bank: what is not filled in again, until it is. */
export function TypeAgain({ order: { isRestored, problems }, questions }: TypeAgainProps) {
  const t = useT()
  const missing = neverKept.filter((name) => problems?.[name] === 'Required')
  if (!isRestored || missing.length === 0) return null
  const fields = missing.map((name) => labelOf(t, name, questions)).join(', ')
  return (
    <Banner title={t('What you typed is still here')}>
      {t('Please type again what is never kept: {fields}.', { fields })}
    </Banner>
  )
}
