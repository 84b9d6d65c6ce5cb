import { beforeAll, expect, it } from 'vitest'
import { circulation } from '#core/analytics/circulation.query.ts'
import type { CirculationCounts } from '#core/analytics/circulation.rules.ts'
import type { AppContext } from '#core/context.ts'
import { dayOf } from '#core/kernel/calendar.ts'
import { formatMoney } from '#core/kernel/money.ts'
import { closeMonth } from '#core/ledger/close-month.ts'
import { getMonthCloses } from '#core/ledger/get-month-closes.query.ts'
import { formatMonth, monthOf, nextMonth } from '#core/ledger/months.rules.ts'
import { ledgerSchedule } from '#core/ledger/schedule.query.ts'
import { Publications } from '#core/publications/publications.rows.ts'
import { setVatRate } from '#core/vat/vat-settings.ts'
import { arrived, faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { actorOf } from '#tests/support/factories.ts'
import { fillDisk } from '#tests/support/full-disk.ts'
import { fieldOf } from '#tests/support/page-facts.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole, fetchAs } = openVisits()
let publicationId = 0
let staff: AppContext

beforeAll(async () => {
  const publication = await Publications.find(server.services, { urlKey: 'slow-steam' })
  publicationId = publication?.id ?? 0
  const publisher = await actorOf(server.services, 'publisher', publication?.publisherId)
  staff = server.as(publisher)
})

it('shows the schedule by title and product, with the figures of its CSV', () =>
  asRole('publisher', async ({ page }) => {
    const month = monthOf(dayOf(staff.now(), staff.settings.timeZone))
    const { rows } = await ledgerSchedule(staff, { from: month, until: month })
    await page.goto(`/payments/schedule?from=${month}&until=${month}`)
    await page.locator('#rows').selectOption('Titles and products')
    await page.getByRole('button', { name: 'Show' }).click()
    await arrived(page, '**rows=products**')
    const pounds = rows.filter(({ currency }) => currency === 'GBP')
    const table = page.getByRole('region', { name: 'Deferred revenue in GBP' })
    await expect.poll(() => table.locator('tbody tr').count()).toBe(pounds.length)
    const lastRow = pounds.at(-1)
    const cells = await table.locator('tbody tr').last().locator('td').allTextContents()
    expect(cells[1]).toBe(lastRow?.publicationName)
    expect(cells.at(-1)).toBe(formatMoney({ amount: lastRow?.closing ?? 0, currency: 'GBP' }))
    expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
    await takeScreenshot(page, 'schedule-by-product')
  }))

it('shows circulation by zone, with print, digital, bundle, paid and free', () =>
  asRole('publisher', async ({ page }) => {
    await page.goto('/circulation')
    const { counts } = await circulation(staff, {})
    const { zones } = counts as CirculationCounts
    const rows = page.getByRole('table', { name: 'Circulation by zone' }).locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(zones.length)
    for (const [index, { label, print, digital, bundle, paid, free, all }] of zones.entries())
      expect(await rows.nth(index).locator('th, td').allTextContents()).toEqual([
        label,
        ...[print, digital, bundle, paid, free, all].map((n) => n.toLocaleString('en-GB')),
      ])
    expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
    await takeScreenshot(page, 'circulation')
  }))

it('shows on an order what decided its country for VAT, who it was sold to, and its VAT in pounds', () =>
  asRole('publisher', async ({ page }) => {
    const [line] = await server.services.db.query<{ order_id: number }>(
      `SELECT order_id FROM vat_lines WHERE currency = 'USD' AND supply = 'print' AND kind = 'sale' ORDER BY id DESC LIMIT 1`,
    )
    await server.services.db.run(
      `UPDATE vat_lines SET country = 'FR', decided_by = 'shipping', customer = 'business', scheme = 'none', rate = 2000,
         gross = 1200, net = 1000, vat = 200, vat_gbp = 157, net_gbp = 783, exchange_rate = 1277500, problem = ''
       WHERE order_id = :id`,
      { id: line?.order_id ?? 0 },
    )
    await page.goto(`/orderDetails/${line?.order_id}`)
    await page
      .getByText('Print: France, from the shipping address; sold to a business. VAT in pounds: £1.57.')
      .waitFor()
    expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
    await takeScreenshot(page, 'order-vat')
  }))

it('says why a VAT rate could not be removed', () =>
  asRole('publisher', async ({ page, problems }) => {
    await setVatRate(staff, { country: 'JP', supply: 'print', fromOn: '2026-01-01', rate: '10', scheme: 'uk' })
    await page.goto('/payments/vat/settings')
    const makeRoom = await fillDisk(server.services, '1 = 1', { table: 'vat_rates', event: 'DELETE' })
    await page.getByRole('button', { name: 'Remove the rate for print in Japan' }).click()
    await page.getByRole('alert').getByText('The disk of the database is full').waitFor()
    await makeRoom()
    expect(problems().every((problem) => problem.includes('503'))).toBe(true)
    expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
    await page.getByRole('button', { name: 'Remove the rate for print in Japan' }).click()
    await page.getByText('Rate removed').first().waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  }))

it('clears the reason when a reopening is refused because a later month has been closed', () =>
  asRole('publisher', async ({ page }) => {
    const { closable, reopenable } = await getMonthCloses(staff, {})
    const firstMonth = closable[0] ?? reopenable ?? ''
    await closeMonth(staff, { month: firstMonth })
    const secondMonth = nextMonth(firstMonth)
    const laterCtx = { ...staff, now: () => new Date(`${nextMonth(secondMonth)}-15T10:00:00Z`) }
    await page.goto('/payments/close')
    const reason = fieldOf(page, 'reason')
    const press = async (label: string) => {
      await page.getByRole('button', { name: label }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: label }).click()
    }
    await reason.fill('A late invoice')
    await closeMonth(laterCtx, { month: secondMonth })
    await press(`Reopen ${formatMonth(firstMonth)}`)
    await page.getByRole('alert').getByText('Only the last closed month can be reopened').waitFor()
    await page.getByRole('button', { name: `Reopen ${formatMonth(secondMonth)}` }).waitFor()
    expect(await reason.inputValue()).toBe('')
    expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
    await reason.fill('A mistake')
    await press(`Reopen ${formatMonth(secondMonth)}`)
    await page
      .getByText(`${formatMonth(secondMonth)} is open again`)
      .first()
      .waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  }))

it('offers a removed title wherever its figures are', async () => {
  await Publications.update(server.services, { id: publicationId }, { removedAt: new Date() })
  const read = async (path: string) => (await fetchAs('publisher', path)).text()
  const selectedIn = (html: string) => {
    const [select = ''] = /<select[^>]* name="publication".*?<\/select>/s.exec(html) ?? []
    return /<option[^>]* selected="[^>]*>(.*?)<\/option>/s.exec(select)?.[1]
  }
  for (const path of ['/payments', '/payments/schedule', '/payments/pack', '/circulation'])
    expect([path, selectedIn(await read(`${path}?publication=${publicationId}`))]).toEqual([
      path,
      'Slow Steam (removed)',
    ])
  const pack = /<main.*<\/main>/s.exec(await read(`/payments/pack?publication=${publicationId}`))?.[0] ?? ''
  expect(pack).toContain('Renewals and new subscriptions')
  expect(pack).not.toMatch(/<a [^>]*>Growth</)
  const selectedByDefault = selectedIn(await read('/payments/pack'))
  expect(selectedByDefault).not.toContain('removed')
})
