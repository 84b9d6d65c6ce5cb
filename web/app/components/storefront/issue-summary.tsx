import { type IssueOffer, issueTotal } from '#core/back-issues/issue-offer.rules.ts'
import { type Currency, formatMoney } from '#core/kernel/money.ts'
import { countOf } from '#core/kernel/words.ts'

/** What is chosen and what it costs with its postage, beside the form; on small screens under it. */
export function IssueSummary({
  chosen,
  currency,
  publicationName,
}: {
  chosen: readonly IssueOffer[]
  currency: Currency
  publicationName: string
}) {
  const { price, postage, amount } = issueTotal(chosen)
  const money = (value: number) => formatMoney({ amount: value, currency })
  return (
    <section aria-labelledby="summary-heading" className="card p-5">
      <h2 id="summary-heading" className="text-h3">
        Your order
      </h2>
      <p className="mt-3 font-medium">{publicationName}</p>
      <p role="status" className="text-body text-ink-2">
        {chosenText(chosen.length)}
      </p>
      {chosen.length > 0 && (
        <ul className="mt-3 space-y-1 text-body">
          {chosen.map(({ id, volume, price: one }) => (
            <li key={id} className="flex items-baseline justify-between gap-4">
              <span className="min-w-0 wrap-anywhere">{volume}</span>
              <span className="numeric">{money(one)}</span>
            </li>
          ))}
        </ul>
      )}
      <dl className="mt-4 space-y-1 border-t border-line pt-4 text-body">
        <Line label="Issues">{money(price)}</Line>
        <Line label="Postage">{money(postage)}</Line>
        <div className="flex items-baseline justify-between gap-4 pt-1 text-lead font-semibold">
          <dt>Total</dt>
          <dd className="numeric">{`${money(amount)} ${currency}`}</dd>
        </div>
      </dl>
    </section>
  )
}

/** "2 issues chosen". */
export function chosenText(count: number): string {
  return count === 0 ? 'No issue chosen yet' : `${countOf(count, 'issue')} chosen`
}

function Line({ label, children }: { label: string; children: string }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="text-ink-2">{label}</dt>
      <dd className="numeric">{children}</dd>
    </div>
  )
}
