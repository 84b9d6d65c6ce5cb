import { expect, it } from 'vitest'
import { arrived, faultsOf, hydrated, shoot } from '#tests/support/browser.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits()

it('refunds an amount of an order after confirming the figures, and shows it in that day’s ledger', () =>
  asRole('publisher', async ({ page }) => {
    const [order] = await server.services.db.query<{ id: number; order_number: string }>(
      `SELECT id, order_number FROM orders WHERE state = 'paid' AND amount > 2000 AND currency = 'GBP' ORDER BY id DESC LIMIT 1`,
    )
    await page.goto(`/orderDetails/${order?.id}`)
    await hydrated(page)
    await page.getByLabel('What to refund').selectOption('amount')
    await page.getByRole('textbox', { name: 'Amount' }).fill('5.00')
    await page.getByLabel('Reason').fill('Issue late')
    await page.getByRole('button', { name: 'Check the refund' }).click()
    const confirm = page.getByRole('button', { name: 'Refund £5.00' })
    await confirm.waitFor()
    expect(await faultsOf(page)).toEqual([])
    await shoot(page, 'refund-confirm')
    await confirm.click()
    await page.getByText('Issue late').first().waitFor()
    expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
    await shoot(page, 'order')
    await page.goto(`/payments/?q=${order?.order_number}&asOf=31/12/2025`)
    await page.getByText('No orders match your filter').waitFor()
    await page.getByRole('link', { name: /Remove the filter As of/ }).click()
    await arrived(page, `**/payments/?q=${order?.order_number}`)
    await page.getByRole('cell', { name: '£5.00' }).first().waitFor()
    expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
    await shoot(page, 'payments')
  }))
