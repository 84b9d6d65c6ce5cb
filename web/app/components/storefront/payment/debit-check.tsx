import type { PaymentMethod } from '@stripe/stripe-js'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useT } from '../../../i18n/use-t.tsx'
import { Checkbox } from '../../ui/inputs.tsx'
import { ShopButton } from '../shop-button.tsx'

interface DebitCheckProps {
  account: PaymentMethod
  payerName: string
  /** The name on the bank statement. */
  statementName: string
  amount: string
  isBusy: boolean
  alert: ReactNode
  onChange: () => void
  onPay: () => void
}

/** The direct debit to confirm: account details, the payer's rights, and the declaration that the account is theirs. */
export function DebitCheck(props: DebitCheckProps) {
  const { account, payerName, statementName, amount, isBusy, alert, onChange, onPay } = props
  const t = useT()
  const [isAgreed, setAgreed] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { sort_code: sortCode, last4 } = account.bacs_debit ?? {}
  return (
    <div>
      <h3 ref={heading} tabIndex={-1} className="text-input font-semibold outline-none">
        {t('Check your details')}
      </h3>
      <dl className="mt-2 divide-y divide-line border-y border-line">
        <Line label={t('Account holder')}>{account.billing_details.name || payerName}</Line>
        <Line label={t('Sort code')}>{(sortCode ?? '').replaceAll('-', '').replaceAll(/(\d\d)(?=\d)/g, '$1-')}</Line>
        <Line label={t('Account number')}>{t('ending in {digits}', { digits: last4 ?? '' })}</Line>
        <Line label={t('On your bank statement')}>
          {t('{name} will appear on your statement', { name: statementName })}
        </Line>
      </dl>
      <p className="mt-2">
        <button
          type="button"
          onClick={() => !isBusy && onChange()}
          className="min-h-6 text-body font-medium text-ink underline underline-offset-3 hover:decoration-2"
        >
          {t('Change the account')}
        </button>
      </p>
      <section className="mt-4 rounded-card border border-line bg-subtle p-4 text-table text-ink-2">
        <h4 className="text-body font-semibold text-ink">{t('The Direct Debit Guarantee')}</h4>
        <ul className="mt-1 list-disc space-y-1 pl-4">
          <li>
            {t(
              'This Guarantee is offered by all banks and building societies that accept instructions to pay Direct Debits.',
            )}
          </li>
          <li>
            {t(
              'If there are any changes to the amount, date or frequency of your Direct Debit, you will be notified in advance, normally 10 working days before.',
            )}
          </li>
          <li>
            {t(
              'If a mistake is made with your Direct Debit, you are entitled to a full and immediate refund from your bank or building society.',
            )}
          </li>
          <li>
            {t(
              'You can cancel a Direct Debit at any time by contacting your bank or building society. Please also notify us.',
            )}
          </li>
        </ul>
      </section>
      <div className="mt-4">
        <Checkbox
          name="isAgreed"
          checked={isAgreed}
          onChange={({ target }) => setAgreed(target.checked)}
          label={t(
            'I am the account holder and the only person required to authorise Direct Debits from this account.',
          )}
        />
      </div>
      {alert}
      <div className="mt-5">
        <ShopButton isPending={isBusy} isDisabled={!isAgreed} onPress={onPay}>
          {t('Pay {amount} by direct debit', { amount })}
        </ShopButton>
      </div>
      <p className="mt-3 text-table text-ink-2">{t('The money leaves your account in a few working days.')}</p>
    </div>
  )
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 py-2">
      <dt className="text-body text-ink-2">{label}</dt>
      <dd className="numeric font-medium wrap-anywhere">{children}</dd>
    </div>
  )
}
