import type { Translator } from '#core/kernel/translator.ts'

/** What is said of an order beside its date; of a paid one nothing needs to be. */
export function stateWords(t: Translator, state: string): string | null {
  if (state === 'pending') return t('Being confirmed by the bank')
  if (state === 'reversed') return t('The payment failed')
  return state === 'refunded' ? t('Paid back') : null
}
