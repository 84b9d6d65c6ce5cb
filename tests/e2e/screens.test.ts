import { beforeAll, describe, expect, it } from 'vitest'
import { arrived, faultsOf, type WatchedPage } from '#tests/support/browser.ts'
import { focusedId, focusedText } from '#tests/support/page-facts.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, onPage, asRole } = openVisits()
let publicationId: number

beforeAll(async () => {
  const [row] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM publications WHERE url_key = 'harbour-light'`,
  )
  publicationId = row?.id ?? 0
})

describe('every screen', () => {
  const screens: ['publisher' | 'super' | null, string][] = [
    [null, '/'],
    [null, '/howto'],
    [null, '/contactme'],
    [null, '/privacy'],
    [null, '/login'],
    [null, '/slogin?reason=expired'],
    [null, '/signup'],
    [null, '/success'],
    [null, '/nothing/here'],
    ['publisher', '/dashboard'],
    ['publisher', '/dashboard/growth'],
    ['publisher', '/dashboard/readers?set=expiring'],
    ['publisher', '/publications/{publication}/preview'],
    ['publisher', '/readers'],
    ['publisher', '/searchreaders/{publication}'],
    ['publisher', '/searchreaders/{publication}?q=zzzz'],
    ['publisher', '/addreader/{publication}'],
    ['publisher', '/editreader/{reader}'],
    ['publisher', '/managedata/likely/{publication}'],
    ['publisher', '/managedata/transfers/{publication}'],
    ['publisher', '/managedata/transfers/{publication}?new=import-sftp'],
    ['publisher', '/payments'],
    ['publisher', '/account/plan'],
    ['publisher', '/account/plan/start'],
    ['publisher', '/thirdparty/webhooks'],
    ['publisher', '/emailtemplates'],
    ['publisher', '/emailtemplates/sender'],
    ['publisher', '/emailtemplates/{publication}'],
    ['publisher', '/purchasereceipt/{publication}'],
    ['publisher', '/renewals'],
    ['publisher', '/renewals?show=failed'],
    ['publisher', '/renewals?show=yield'],
    ['publisher', '/renewals/series?publication={publication}'],
    ['publisher', '/renewals/series/results?publication={publication}'],
    ['publisher', '/renewals/offers?publication={publication}&offer=new'],
    ['publisher', '/renewals/series/results?publication={publication}&show=yield'],
    ['publisher', '/renewals/settings?publication={publication}'],
    ['publisher', '/circulation?since=01/10/2026&spares=2'],
    ['publisher', '/payments/schedule'],
    ['publisher', '/payments/close'],
    ['publisher', '/payments/refunds?publication={publication}'],
    ['publisher', '/payments/opening?publication={publication}&on=01/01/2026'],
    ['publisher', '/payments/pack?publication={publication}'],
    ['publisher', '/payments/reconcile'],
    ['publisher', '/payments/vat'],
    ['publisher', '/payments/vat/settings'],
    ['publisher', '/orderDetails/{order}'],
    ['publisher', '/searchreaders/999999'],
    ['super', '/publishers'],
    ['super', '/testimonials'],
    ['super', '/testimonials?new'],
    ['super', '/signups'],
    ['super', '/signups?show=settled'],
  ]

  async function withIds(path: string): Promise<string> {
    const [row] = await server.services.db.query<{ reader: number; order_id: number }>(
      `SELECT reader_id AS reader, id AS order_id FROM orders WHERE publication_id = :publicationId AND reader_id IS NOT NULL ORDER BY id DESC LIMIT 1`,
      { publicationId },
    )
    return path
      .replace('{publication}', String(publicationId))
      .replace('{reader}', String(row?.reader))
      .replace('{order}', String(row?.order_id))
  }

  /** Pages that look different on a phone: those with a menu, and tables that become cards. */
  const differentOnPhones = [
    '/',
    '/login',
    '/dashboard',
    '/dashboard/growth',
    '/searchreaders/{publication}',
    '/payments',
    '/orderDetails/{order}',
    '/renewals?show=failed',
    '/publishers',
  ]

  it.each(screens)('has no fault in accessibility, wording, width or console (%s): %s', async (role, path) => {
    const checkScreen = async ({ page }: WatchedPage) => {
      await page.goto(await withIds(path))
      expect(await faultsOf(page, { alsoAt: [360, 320] })).toEqual([])
      await expect.poll(() => page.title()).toMatch(/\S/)
      await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1)
      if (!differentOnPhones.includes(path)) return
      await page.setViewportSize({ width: 360, height: 800 })
      expect(await faultsOf(page, { isPhoneOnly: true })).toEqual([])
    }
    const size = { width: 1280, height: 800 }
    await (role ? asRole(role, checkScreen, size) : onPage(checkScreen, size))
  })

  it('works by keyboard: skip link, menu, drawer, heading after each step', async () => {
    await asRole('publisher', async ({ page }) => {
      await page.goto('/dashboard')
      await page.keyboard.press('Tab')
      await expect.poll(() => focusedText(page)).toBe('Skip to the content')
      await page.keyboard.press('Enter')
      await expect.poll(() => focusedId(page)).toBe('main')
      await page.getByRole('link', { name: 'Sales Ledger' }).focus()
      await page.keyboard.press('Enter')
      await arrived(page, '**/payments')
      await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
      await expect
        .poll(() => page.getByRole('link', { name: 'Sales Ledger' }).getAttribute('aria-current'))
        .toBe('page')
      await page.keyboard.press('Tab')
      await expect.poll(() => page.evaluate(() => Boolean(document.activeElement?.closest('main')))).toBe(true)
    })
    await asRole(
      'publisher',
      async ({ page }) => {
        await page.goto('/dashboard')
        const opener = page.getByRole('button', { name: 'Open the menu' })
        await opener.focus()
        await page.keyboard.press('Enter')
        await page.getByRole('dialog', { name: 'Menu' }).waitFor()
        expect(await faultsOf(page, { isPhoneOnly: true })).toEqual([])
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'hidden' })
        await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true)
        await opener.click()
        await page.getByRole('dialog').getByRole('link', { name: 'Readers' }).click()
        await arrived(page, '**/readers')
        await page.getByRole('dialog').waitFor({ state: 'hidden' })
      },
      { width: 360, height: 800 },
    )
  })
})
