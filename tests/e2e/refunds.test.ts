import { expect, it } from 'vitest'
import { refundOrder } from '#core/orders/refund-order.ts'
import { arrived, faultsOf, layoutFaultsAt, takeScreenshot } from '#tests/support/browser.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits()

it('refunds an amount of an order after confirming the figures, and shows it in that day’s ledger', () =>
  asRole('publisher', async ({ page }) => {
    const [order] = await server.services.db.query<{ id: number; order_number: string }>(
      `SELECT id, order_number FROM orders WHERE state = 'paid' AND amount > 2000 AND currency = 'GBP' ORDER BY id DESC LIMIT 1`,
    )
    await page.goto(`/orderDetails/${order?.id}?list=%3Fsort%3Damount`)
    // Another user refunds a pound meanwhile: the confirmation is refused, and the new figures are offered.
    await page.getByLabel('What to refund').selectOption('whole')
    const wholeAmount = page.locator('#field-scope option[value="whole"]')
    const amountBefore = await wholeAmount.textContent()
    await page.getByLabel('Reason').fill('Unhappy')
    await page.getByRole('button', { name: 'Review refund' }).click()
    const refundButton = page.getByRole('button', { name: /^Refund £/ })
    await refundButton.waitFor()
    const system = server.as({ kind: 'system' })
    const otherRefund = { id: order?.id ?? 0, scope: 'amount', amount: '1.00', reason: 'Torn', method: 'hand' } as const
    await refundOrder(system, otherRefund)
    await refundButton.click()
    await page.getByText(/^The refund would now be £[\d.]+\. Please check it and confirm again/).waitFor()
    await expect.poll(() => wholeAmount.textContent()).not.toBe(amountBefore)
    await expect.poll(() => page.getByLabel('Reason').inputValue()).toBe('Unhappy')
    await page.getByLabel('What to refund').selectOption('amount')
    await page.getByRole('textbox', { name: 'Amount' }).fill('5.00')
    await page.getByLabel('Reason').fill('Issue late')
    await page.getByRole('button', { name: 'Review refund' }).click()
    const confirmButton = page.getByRole('button', { name: 'Refund £5.00' })
    await confirmButton.waitFor()
    expect(await faultsOf(page)).toEqual([])
    await takeScreenshot(page, 'refund-confirm')
    await confirmButton.click()
    await page.getByText('Issue late').first().waitFor()
    expect(new URL(page.url()).search).toBe('?list=%3Fsort%3Damount')
    expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
    await takeScreenshot(page, 'order')
    await page.goto(`/payments/?q=${order?.order_number}&asOf=31/12/2025`)
    await page.getByText('No orders match your filter').waitFor()
    await page.getByRole('link', { name: /Remove the filter As of/ }).click()
    await arrived(page, `**/payments/?q=${order?.order_number}`)
    await page.getByRole('cell', { name: '£6.00' }).first().waitFor()
    expect(await layoutFaultsAt(page, [1280, 360])).toEqual([])
    await takeScreenshot(page, 'payments')
  }))

it('keeps a refund as credit, shows the balance on the order and reader pages, refuses an order that costs more, and puts the credit towards an invoice', () =>
  asRole('publisher', async ({ page }) => {
    const [order] = await server.services.db.query<{ id: number; reader_id: number; publication_id: number }>(
      `SELECT o.id, o.reader_id, o.publication_id FROM orders o JOIN payments y ON y.order_id = o.id
       WHERE o.state = 'paid' AND o.amount > 2000 AND o.currency = 'GBP' AND o.reader_id IS NOT NULL AND o.is_gift = FALSE
         AND y.provider NOT IN ('demo', 'free', 'invoice') ORDER BY o.id LIMIT 1`,
    )
    await page.goto(`/orderDetails/${order?.id}`)
    await page.getByLabel('What to refund').selectOption('amount')
    await page.getByRole('textbox', { name: 'Amount' }).fill('12.34')
    await page.locator('#field-method').selectOption('As credit for a later order')
    await page.getByLabel('Reason').fill('Moved house; will resubscribe later')
    expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
    await takeScreenshot(page, 'credit-form')
    await page.getByRole('button', { name: 'Review refund' }).click()
    const confirmButton = page.getByRole('button', { name: 'Keep £12.34 as credit' })
    await confirmButton.waitFor()
    expect(await layoutFaultsAt(page, [1280, 360])).toEqual([])
    await takeScreenshot(page, 'credit-confirm')
    await confirmButton.click()
    await page.getByText('Credit: £12.34 left').waitFor()
    expect(await layoutFaultsAt(page, [1280, 360])).toEqual([])
    await takeScreenshot(page, 'credit-order')
    await page.goto(`/editreader/${order?.reader_id}`)
    await page.getByText('Credit: £12.34 left').waitFor()
    expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
    await takeScreenshot(page, 'credit-reader')
    await page.goto(`/neworder?publication=${order?.publication_id}&reader=${order?.reader_id}`)
    await page.getByLabel('Payment method').selectOption('Credit of this reader (£12.34 left)')
    await page.getByRole('button', { name: 'Check the order' }).click()
    await page
      .getByText(/£12\.34 of credit is left for this buyer/)
      .first()
      .waitFor()
    await page.getByLabel('Payment method').selectOption('invoice')
    await page.getByRole('button', { name: 'Check the order' }).click()
    await page.getByRole('button', { name: /^Place the order for / }).click()
    await arrived(page, '**/orderDetails/*')
    await page.locator('#field-payment-method').selectOption('Credit (£12.34 left)')
    await page.locator('#field-payment-amount').fill('12.34')
    await page.getByRole('button', { name: 'Record payment' }).click()
    await page.getByText('Invoice: part paid').waitFor()
    await page.getByText('Paid with credit from an earlier order').waitFor()
    expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
    await takeScreenshot(page, 'credit-invoice')
  }))
