import { type IssueOffer, issueTotal } from '#core/back-issues/issue-offer.rules.ts'
import type { Currency } from '#core/kernel/money.ts'
import type { Translator } from '#core/kernel/translator.ts'
import { useT } from '../../i18n/use-t.tsx'

/** The chosen issues with price and postage, next to the form; below it on small screens. */
export function IssueSummary({
  chosen,
  currency,
  publicationName,
}: {
  chosen: readonly IssueOffer[]
  currency: Currency
  publicationName: string
}) {
  const t = useT()
  const { price, postage, amount } = issueTotal(chosen)
  const money = (value: number) => t.money({ amount: value, currency })
  return (
    <section aria-labelledby="summary-heading" className="card p-5">
      <h2 id="summary-heading" className="text-h3">
        {t('Your order')}
      </h2>
      <p className="mt-3 font-medium">{publicationName}</p>
      <p role="status" className="text-body text-ink-2">
        {chosenText(t, chosen.length)}
      </p>
      {chosen.length > 0 && (
        <ul className="mt-3 space-y-1 text-body">
          {chosen.map(({ id, volume, price: issuePrice }) => (
            <li key={id} className="flex items-baseline justify-between gap-4">
              <span className="min-w-0 wrap-anywhere">{volume}</span>
              <span className="numeric">{money(issuePrice)}</span>
            </li>
          ))}
        </ul>
      )}
      <dl className="mt-4 space-y-1 border-t border-line pt-4 text-body">
        <Line label={t('Issues')}>{money(price)}</Line>
        <Line label={t('Postage')}>{money(postage)}</Line>
        <div className="flex items-baseline justify-between gap-4 pt-1 text-lead font-semibold">
          <dt>{t('Total')}</dt>
          <dd className="numeric">{t.moneyWithCode({ amount, currency })}</dd>
        </div>
      </dl>
    </section>
  )
}

/** "2 issues chosen". */
export function chosenText(t: Translator, count: number): string {
  return count === 0 ? t('No issue chosen yet') : t.count(count, '{count} issue chosen', '{count} issues chosen')
}

function Line({ label, children }: { label: string; children: string }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="text-ink-2">{label}</dt>
      <dd className="numeric">{children}</dd>
    </div>
  )
}
