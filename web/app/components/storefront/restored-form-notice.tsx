import type { FieldPhrases } from '#core/kernel/phrases.ts'
import { useT } from '../../i18n/use-t.tsx'
import { Banner } from '../ui/banner.tsx'
import { labelOf } from './order-labels.ts'

interface RestoredFormNoticeProps {
  order: { isRestored: boolean; problems: FieldPhrases | null }
}

const neverStored = ['password', 'confirmPassword', 'payment.cardNumber']

/** On returning to the form, such as from the bank's page: asks for the fields that are never stored, until they are filled. */
export function RestoredFormNotice({ order: { isRestored, problems } }: RestoredFormNoticeProps) {
  const t = useT()
  const missing = neverStored.filter((name) => problems?.[name] === 'Required')
  if (!isRestored || missing.length === 0) return null
  const fields = missing.map((name) => labelOf(t, name, { country: '', questions: [] })).join(', ')
  return (
    <Banner title={t('What you typed is still here')}>
      {t('For your security, please re-enter: {fields}.', { fields })}
    </Banner>
  )
}
