import { formatReportAmount } from '#core/reconciliation/report-amount.rules.ts'

/** An amount of a provider's report, in its settlement currency; minor units. */
export function ReportAmount({ amount, currency }: { amount: number; currency: string }) {
  return <span className="numeric whitespace-nowrap">{formatReportAmount(amount, currency)}</span>
}
