import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { paypalKind, stripeKind } from './line-kinds.rules.ts'
import { formatReportDecimal, parseReportAmount } from './report-amount.rules.ts'
import { layoutOf } from './report-layout.rules.ts'
import { makeDateOrder } from './report-line.rules.ts'

describe('an amount in a report', () => {
  it.each([
    ['-1,234.50', 'GBP', -123_450],
    ['1234.5', 'GBP', 123_450],
    ['0.00', 'GBP', 0],
    ['1.234,50', 'EUR', 123_450],
    ['-29,99', 'EUR', -2999],
    ['1,234', 'JPY', 1234],
    ['1000.00', 'JPY', 1000],
    ['1.234', 'KWD', 1234],
    ['\u2212 5.00'.replace(' ', ''), 'GBP', -500],
    ['1000000000000', 'JPY', 1e12],
    ['9,999,999,999,999.999', 'KWD', null],
    ['12.345', 'GBP', null],
    ['12,34.50', 'GBP', null],
    ['1e3', 'GBP', null],
    ['£5', 'GBP', null],
    ['', 'GBP', null],
    ['--5', 'GBP', null],
  ])('%s %s is %s', (text, currency, amount) => {
    expect(parseReportAmount(text, currency)).toBe(amount)
  })

  it('is parsed as it is printed, in every currency', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e12, max: 1e12 }),
        fc.constantFrom('GBP', 'JPY', 'KWD', 'USD'),
        (amount, currency) => {
          expect(parseReportAmount(formatReportDecimal(amount, currency), currency)).toBe(amount)
        },
      ),
    )
  })
})

describe('the kind of a line', () => {
  it.each([
    ['Express Checkout Payment', 2999, 'charge'],
    ['Website Payment', 2999, 'charge'],
    ['Subscription Payment', 2999, 'charge'],
    ['General Payment', -500, 'other'],
    ['Payment Refund', -2999, 'refund'],
    ['Payment Reversal', -2999, 'dispute'],
    ['Chargeback', -2999, 'dispute'],
    ['Chargeback Reversal', 2999, 'dispute-won'],
    ['Chargeback Fee', -1400, 'fee'],
    ['Hold on Balance for Dispute Investigation', -2999, 'moved'],
    ['Cancellation of Hold for Dispute Resolution', 2999, 'moved'],
    ['Payment Review Hold', -2999, 'moved'],
    ['Payment Review Release', 2999, 'moved'],
    ['Payment Release', 2999, 'moved'],
    ['Fee Refund', 117, 'fee'],
    ['General Withdrawal', -10_000, 'payout'],
    ['User Initiated Withdrawal', -10_000, 'payout'],
    ['General Currency Conversion', 100, 'moved'],
    ['Account Hold for Open Authorization', -100, 'moved'],
  ])('PayPal’s %s of %i is %s', (type, gross, kind) => {
    expect(paypalKind(type, gross)).toBe(kind)
  })

  it.each([
    ['charge', 'ch_1', 100, 'charge'],
    ['Payment', 'py_1', 100, 'charge'],
    ['payment_failure_refund', 'pyr_1', -100, 'charge-failed'],
    ['refund_failure', 're_1', 100, 'refund-failed'],
    ['adjustment', 'dp_1', -100, 'dispute'],
    ['adjustment', 'du_1', 100, 'dispute-won'],
    ['adjustment', '', 100, 'other'],
    ['network_cost', '', -1, 'fee'],
    ['payout_reversal', 'po_1', 100, 'payout-returned'],
    ['payout_minimum_balance_hold', '', -5000, 'moved'],
    ['payout_minimum_balance_release', '', 5000, 'moved'],
    ['something_new', '', 1, 'other'],
  ])('Stripe’s %s of %s is recognised', (category, source, gross, kind) => {
    expect(stripeKind(category, source, gross)).toBe(kind)
  })
})

it('knows the column names of each report', () => {
  const dashboard = ['id', 'Type', 'Source', 'Amount', 'Fee', 'Net', 'Currency', 'Created (UTC)', 'Transfer']
  expect(layoutOf(dashboard)).toMatchObject({
    provider: 'stripe',
    places: { lineKey: 0, gross: 3, createdUtc: 7, payout: 8 },
  })
  const monthly = ['Date', 'Description', 'Currency', 'Gross', 'Fee', 'Net', 'Transaction ID', 'Invoice ID']
  expect(layoutOf(monthly)).toMatchObject({ provider: 'paypal', places: { category: 1, invoice: 7 } })
  expect(layoutOf(monthly, 'stripe')).toMatchObject({ problem: expect.stringContaining('“balance_transaction_id”') })
})

it('recognises American dates by an unambiguous one, else by the time zone', () => {
  const orderOf = (...lines: [string, string][]) => {
    const dates = makeDateOrder()
    for (const [date, zone] of lines) dates.inspect(date, zone)
    return dates.order()
  }
  expect(orderOf(['03/04/2026', 'GMT'])).toBe('day-first')
  expect(orderOf(['03/04/2026', 'PST'])).toBe('month-first')
  expect(orderOf(['03/04/2026', 'PST'], ['31/03/2026', 'PST'])).toBe('day-first')
  expect(orderOf(['03/04/2026', 'GMT'], ['03/31/2026', 'GMT'])).toBe('month-first')
})
