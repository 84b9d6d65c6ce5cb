import { expect, it } from 'vitest'
import { arrived, faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { stripeReport } from '#tests/support/provider-reports.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits({ worker: true })

it('reads a report, shows the parts of its payouts, and accepts a manual match', async () => {
  const { db } = server.services
  const [order] = await db.query<{ order_id: number; order_number: string; amount: number; entered_on: string }>(
    `SELECT o.id AS order_id, o.order_number, o.amount, l.entered_on FROM orders o JOIN ledger_entries l ON l.order_id = o.id AND l.kind = 'sale'
     JOIN payments y ON y.order_id = o.id JOIN users u ON u.id = o.publisher_id
     WHERE u.email = 'publisher@demo.masthead.test' AND o.state = 'paid' AND o.currency = 'GBP' AND y.provider <> 'free' ORDER BY o.id DESC LIMIT 1`,
  )
  if (!order) throw new Error('The demo has no paid order')
  const gross = (order.amount / 100).toFixed(2)
  const net = ((order.amount - 65) / 100).toFixed(2)
  const row = { automatic_payout_id: 'po_1', gross, fee: '0.65', net, reporting_category: 'charge' }
  const report = stripeReport([
    { ...row, balance_transaction_id: 'txn_1', 'payment_metadata[orderNumber]': order.order_number },
    { ...row, balance_transaction_id: 'txn_2', source_id: 'ch_unknown' },
    { ...row, balance_transaction_id: 'txn_3', gross: 'none' },
  ])
  await asRole('publisher', async ({ page }) => {
    await page.goto('/payments/reconcile')
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'readers.csv', mimeType: 'text/csv', buffer: Buffer.from('Name\nAnn\n') })
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'The report could not be read' }).waitFor()
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'October.csv', mimeType: 'text/csv', buffer: Buffer.from(report) })
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByText('Line 4: gross is not an amount in GBP: “none”').waitFor()
    await page.getByText('1 payout is not reconciled').waitFor()
    await page.getByRole('heading', { name: 'Payouts in GBP' }).waitFor()
    await takeScreenshot(page, 'reconcile')
    expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
    await page.getByRole('link', { name: 'Choose order' }).click()
    const focused = () => page.locator(':focus').textContent()
    await expect.poll(focused).toBe('Choose the order for this line')
    await page.getByLabel('Order number').fill(order.order_number)
    await takeScreenshot(page, 'reconcile-match')
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Match', exact: true }).click()
    await arrived(page, '/payments/reconcile')
    await page.getByText('Every payout is reconciled to the penny.').waitFor()
    await page.getByRole('button', { name: /^Undo/ }).click()
    await page.getByText('1 payout is not reconciled').waitFor()
  })
})
