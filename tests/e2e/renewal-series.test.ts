import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { contextFor } from '#core/context.ts'
import { addDays, dayOf } from '#core/kernel/calendar.ts'
import { formatDay } from '#core/kernel/dates.ts'
import { removeBlanketOffer, saveBlanketOffer } from '#core/series/blanket-offers.ts'
import { removeEffort } from '#core/series/change-effort.ts'
import { sendBlanketOffer } from '#core/series/send-blanket-offer.ts'
import { setSeries } from '#core/series/series-settings.ts'
import { arrived, faultsOf, goBack, loadAfter, takeScreenshot } from '#tests/support/browser.ts'
import { makePublication, operator } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { paidOrder, sendRenewalEmails } from '#tests/support/series.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits({ worker: true })

it('sets up a series: an effort is refused with an error at its field, saved, removed; the series is switched and reset', () =>
  asRole('publisher', async ({ page }) => {
    await server.services.db.run(`UPDATE accounts SET automated_renewal_emails = :no`, { no: false })
    await page.goto('/renewals')
    await page.getByRole('link', { name: 'Renewal series' }).click()
    await arrived(page, '**/renewals/series')
    await page.getByText('Nothing is sent: renewal emails are switched off for the account').waitFor()
    await checkPage(page, 'default')

    await page.getByRole('link', { name: 'Add an effort' }).click()
    await page.getByRole('heading', { name: 'New effort' }).waitFor()
    await page.getByLabel('Days').fill('15')
    await page.getByLabel('Discount (%)').fill('20')
    await page.getByLabel('Price in GBP').fill('nine')
    await page.getByRole('button', { name: 'Save effort' }).click()
    await page.getByText('Must be an amount such as 29.99').first().waitFor()
    await page.getByLabel('Price in GBP').fill('')
    await page.getByRole('button', { name: 'Save effort' }).click()
    await page.getByText('Leave at least 2 days between two efforts').first().waitFor()
    expect(await page.getByLabel('Days').getAttribute('aria-invalid')).toBe('true')
    await checkPage(page, 'refused')
    await page.getByLabel('Days').fill('60')
    await page.getByLabel('Before or after').selectOption('after')
    await page.getByLabel('Subject', { exact: true }).fill('We would like you back')
    await page.getByText('Test a second text (A/B)').click()
    await page.getByLabel('Subject of the second text').fill('Twenty percent off')
    await page.getByRole('button', { name: 'Save effort' }).click()
    await page.getByText('This title has its own efforts.').waitFor()
    await page.getByText('We would like you back').waitFor()
    await checkPage(page, 'own')

    await page.getByRole('link', { name: '60 days after the end' }).click()
    await expect.poll(() => page.getByLabel('Days').inputValue()).toBe('60')
    expect(await page.getByLabel('Before or after').inputValue()).toBe('after')
    await goBack(page)
    const removeButton = page.getByRole('row', { name: /60 days after/ }).getByRole('button', { name: 'Remove' })
    await removeButton.click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Effort removed').waitFor()
    await page.getByText('We would like you back').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Switch off' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click()
    await page.getByText('The series for this title is off.').waitFor()
    await page.getByRole('button', { name: 'Reset to default' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reset to default' }).click()
    await page.getByText('These are the default efforts.').waitFor()
    expect(await server.services.db.query(`SELECT id FROM renewal_efforts`)).toEqual([])
  }))

it('shows who would get what on a day, on the coming days, and the results', () =>
  asRole('publisher', async ({ page }) => {
    await page.goto('/renewals/series')
    await page.getByRole('link', { name: 'Recipients' }).click()
    await arrived(page, '**/renewals/series/results?publication=*')
    await page.getByRole('textbox', { name: 'Day' }).fill('tomorrow')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('Enter a day that exists, as DD/MM/YYYY').waitFor()
    expect(await page.getByRole('textbox', { name: 'Day' }).inputValue()).toBe('tomorrow')
    await checkPage(page, 'wrong-day')
    await page.getByRole('textbox', { name: 'Day' }).fill('')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('heading', { name: /^What is sent on/ }).waitFor()
    await takeScreenshot(page, 'renewal-series-day')
    await page.getByRole('link', { name: 'Next 90 days' }).click()
    const upcomingEfforts = page.getByRole('region', { name: 'Upcoming efforts' })
    await upcomingEfforts.waitFor()
    await page.getByRole('link', { name: 'Results' }).click()
    await page.getByText('By the month in which the subscription ended.').waitFor()
    await takeScreenshot(page, 'renewal-series-results')

    // A new title: on the demo's own, each of hundreds of rows would be checked.
    const today = dayOf(new Date(), 'Europe/London')
    const { publisherId } = await enableRenewalEmails(await chosenTitle(page))
    const { id } = await makePublication(server.services, { publisherId })
    const endsOn = addDays(today, 60)
    const term = { subStartOn: addDays(endsOn, -365), subEndOn: endsOn, subRenewOn: endsOn, subPaid: 2999 }
    await makeReader(server.services, id, { ...term, email: 'coming@example.test', addressOne: '1 Quay Street' })
    await page.goto(`/renewals/series/results?publication=${id}&show=calendar`)
    await upcomingEfforts.getByRole('row').nth(1).waitFor()
    expect(await faultsOf(page, { alsoAt: [360, 320] })).toEqual([])
    await takeScreenshot(page, 'renewal-series-calendar')
  }))

it('makes an offer to chosen readers: refused with an error at its field, previewed, sent as a test, sent once', () =>
  asRole('publisher', async ({ page }) => {
    const { services } = server
    const today = dayOf(new Date(), 'Europe/London')
    await page.goto('/renewals')
    await page.getByRole('link', { name: 'Offers', exact: true }).click()
    await arrived(page, '**/renewals/offers')
    await page.getByText('No offers yet').waitFor()
    await checkPage(page, 'offers')
    const publicationId = await chosenTitle(page)
    // A buyer who lapsed, and one who has bought again under another record.
    const title = await enableRenewalEmails(publicationId)
    const address = { addressOne: '1 Quay Street', city: 'Suva', postCode: 'TR11 3LH', country: 'FJ' }
    const ended = { ...address, subEndOn: addDays(today, -200), subStartOn: addDays(today, -564) }
    for (const email of ['left@example.test', 'back@example.test']) {
      const readerId = await makeReader(services, publicationId, { ...ended, email })
      await paidOrder(services, { ...title, readerId }, { on: addDays(today, -564) })
    }
    await makeReader(services, publicationId, {
      subEndOn: addDays(today, 165),
      subStartOn: addDays(today, -199),
      email: 'back@example.test',
    })

    await page.getByRole('link', { name: 'New offer' }).click()
    await page.getByRole('heading', { name: 'New offer' }).waitFor()
    await page.getByLabel('Name of the offer').fill('Summer')
    await page.getByLabel('Country').selectOption('FJ')
    await page.getByLabel('Discount (%)').fill('20')
    await page.getByLabel('Subject', { exact: true }).fill('Come back to us')
    await page.getByLabel('Valid until').fill(formatDay(addDays(today, 30)))
    await page.getByLabel('Text').fill('Dear {{nmae}}, come back.')
    await page.getByRole('button', { name: 'Save and preview' }).click()
    await page
      .getByText(/is not a placeholder of this email/)
      .first()
      .waitFor()
    expect(await page.getByLabel('Text').getAttribute('aria-invalid')).toBe('true')
    await checkPage(page, 'offer-refused')
    await page.getByLabel('Text').fill('Dear {{name}}, come back until {{valid until}}.')
    await page.getByRole('button', { name: 'Save and preview' }).click()
    await page.getByRole('heading', { name: 'Who would get it today' }).waitFor()
    await page.getByText('1 reader would get it.').waitFor()
    await page.getByText('Has bought again: 1').waitFor()
    await checkPage(page, 'offer-draft')
    await page.getByRole('link', { name: 'See the readers' }).click()
    await page.getByRole('region', { name: 'Readers of this offer' }).waitFor()
    await checkPage(page, 'offer-readers')
    await goBack(page)

    await page.getByRole('button', { name: 'Send me a test email' }).click()
    await page.getByText(/^Test email sent to /).waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('alertdialog').getByText('Send this offer to 1 reader?').waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Send' }).click()
    await page.getByText('The offer is being sent').first().waitFor()
    await server.jobsDone()
    const recipients = await services.db.query<{ email: string }>(
      `SELECT r.email FROM reader_efforts e JOIN readers r ON r.id = e.reader_id WHERE e.blanket_id IS NOT NULL`,
    )
    expect(recipients).toEqual([{ email: 'left@example.test' }])
  }))

it('lists the readers of a day, and makes their letters', () =>
  asRole('publisher', async ({ page }) => {
    const { services } = server
    const today = dayOf(new Date(), 'Europe/London')
    await page.goto('/renewals/series/results')
    const [reader] = await services.db.query<{ id: number; publicationId: number; publisherId: number }>(
      `SELECT r.id, r.publication_id AS "publicationId", p.publisher_id AS "publisherId" FROM readers r JOIN publications p ON p.id = r.publication_id
       WHERE r.publication_id = :id AND NOT r.is_deleted AND r.sub_type <> '' ORDER BY r.id LIMIT 1`,
      { id: await chosenTitle(page) },
    )
    if (!reader) throw new Error('The title has no reader')
    const { id, publicationId, publisherId } = reader
    await services.db.run(
      `UPDATE readers SET sub_end_on = :end, sub_paid = 2999, address_one = '1 Quay' WHERE id = :id`,
      {
        end: addDays(today, 30),
        id,
      },
    )
    await services.db.run(`DELETE FROM payment_agreements WHERE reader_id = :id`, { id })
    await services.db.run(`UPDATE accounts SET automated_renewal_emails = :yes WHERE user_id = :publisherId`, {
      yes: true,
      publisherId,
    })
    const efforts = [
      { dayOffset: -30, channel: 'letter' },
      { dayOffset: -3, channel: 'mail' },
    ]
    await setSeries(contextFor(services, operator, { entryPoint: 'test' }), { publicationId, efforts })
    await page.goto(`/renewals/series/results?publication=${publicationId}`)
    await page.getByText('Letters that are in a file count as sent.').waitFor()
    await checkPage(page, 'letters')
    await page.getByRole('link', { name: 'See the readers' }).click()
    await page.getByRole('region', { name: 'Readers on this day' }).waitFor()
    await checkPage(page, 'readers')
    await goBack(page)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download the letters' }).click()
    expect((await download).suggestedFilename()).toMatch(/_letters\.csv$/)
  }))

it('keeps the text of an effort that was removed meanwhile, and of an offer that was sent, with the refusal', () =>
  asRole('publisher', async ({ page }) => {
    const ctx = server.as(operator)
    await page.goto('/renewals/series')
    const publicationId = await chosenTitle(page)
    await enableRenewalEmails(publicationId)
    const efforts = [-30, -3].map((dayOffset) => ({ dayOffset, channel: 'mail' }))
    await setSeries(ctx, { publicationId, efforts })
    const text = page.getByRole('textbox', { name: 'Text', exact: true })
    const expectRefusal = async (button: string, message: string) => {
      await text.fill('Dear {{name}}, please stay.')
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('alert').filter({ hasText: message }).waitFor()
      expect(await faultsOf(page)).toEqual([])
      expect(await text.inputValue()).toBe('Dear {{name}}, please stay.')
      expect(await page.title()).toMatch(/^Error: /)
    }

    await page.goto(`/renewals/series?publication=${publicationId}&effort=-30`)
    await removeEffort(ctx, { publicationId, dayOffset: -30 })
    await expectRefusal('Save effort', 'This effort is no longer in the series')
    await page.getByRole('button', { name: 'Save effort' }).click()
    await page.getByText('Effort saved').first().waitFor()

    const validUntil = formatDay(addDays(dayOf(new Date(), 'Europe/London'), 30))
    const offer = { name: 'Autumn', product: '', country: 'FJ', offerPercent: '20', validUntil }
    const { id } = await saveBlanketOffer(ctx, { ...offer, publicationId, id: null })
    await page.goto(`/renewals/offers?publication=${publicationId}&offer=${id}&edit=yes`)
    await sendBlanketOffer(ctx, { id, isWaiting: true })
    await expectRefusal('Save and preview', 'This offer has been sent and can no longer be changed')
  }))

it('keeps the text of a draft that was deleted meanwhile, and saves it as a new draft', () =>
  asRole('publisher', async ({ page }) => {
    const ctx = server.as(operator)
    await page.goto('/renewals/offers')
    const publicationId = await chosenTitle(page)
    await enableRenewalEmails(publicationId)
    const validUntil = formatDay(addDays(dayOf(new Date(), 'Europe/London'), 30))
    const offer = { name: 'Spring', product: '', country: 'FJ', offerPercent: '20', validUntil }
    const { id } = await saveBlanketOffer(ctx, { ...offer, publicationId, id: null })
    await page.goto(`/renewals/offers?publication=${publicationId}&offer=${id}&edit=yes`)
    await removeBlanketOffer(ctx, { id })
    const text = page.getByRole('textbox', { name: 'Text', exact: true })
    await text.fill('Dear {{name}}, please come back.')
    await page.getByRole('button', { name: 'Save and preview' }).click()
    await page.getByRole('alert').filter({ hasText: 'This offer no longer exists' }).waitFor()
    await expect.poll(() => page.locator('input[name=id]').first().inputValue()).toBe('')
    expect(await text.inputValue()).toBe('Dear {{name}}, please come back.')
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Save and preview' }).click()
    await page.getByRole('heading', { name: 'Spring', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Change', exact: true }).waitFor()
  }))

it('keeps the text of a removed effort and of a sent offer without JavaScript too', () =>
  asRole(
    'publisher',
    async ({ page }) => {
      const ctx = server.as(operator)
      await page.goto('/renewals/series')
      const publicationId = await chosenTitle(page)
      await enableRenewalEmails(publicationId)
      const efforts = [-30, -3].map((dayOffset) => ({ dayOffset, channel: 'mail' }))
      await setSeries(ctx, { publicationId, efforts })
      const text = page.getByRole('textbox', { name: 'Text', exact: true })
      const expectRefusal = async (button: string, message: string) => {
        await text.fill('Dear {{name}}, please stay.')
        await loadAfter(page, () => page.getByRole('button', { name: button }).click())
        await page.getByRole('alert').filter({ hasText: message }).waitFor()
        expect(await text.inputValue()).toBe('Dear {{name}}, please stay.')
        expect(await page.title()).toMatch(/^Error: /)
      }

      await page.goto(`/renewals/series?publication=${publicationId}&effort=-30`)
      await removeEffort(ctx, { publicationId, dayOffset: -30 })
      await expectRefusal('Save effort', 'This effort is no longer in the series')
      await loadAfter(page, () => page.getByRole('button', { name: 'Save effort' }).click())
      await page
        .getByRole('link', { name: /^30 days before the end/ })
        .first()
        .waitFor()

      const validUntil = formatDay(addDays(dayOf(new Date(), 'Europe/London'), 30))
      const offer = { name: 'Winter', product: '', country: 'FJ', offerPercent: '20', validUntil }
      const { id } = await saveBlanketOffer(ctx, { ...offer, publicationId, id: null })
      await page.goto(`/renewals/offers?publication=${publicationId}&offer=${id}&edit=yes`)
      await sendBlanketOffer(ctx, { id, isWaiting: true })
      await expectRefusal('Save and preview', 'This offer has been sent and can no longer be changed')
    },
    { javaScriptEnabled: false },
  ))

async function enableRenewalEmails(publicationId: number) {
  const [row] = await server.services.db.query<{ publisherId: number }>(
    `SELECT publisher_id AS "publisherId" FROM publications WHERE id = :publicationId`,
    { publicationId },
  )
  const publisherId = Number(row?.publisherId)
  await sendRenewalEmails(server.services, publisherId)
  return { publicationId, publisherId }
}

async function chosenTitle(page: Page): Promise<number> {
  return Number(await page.getByLabel('Publication').inputValue())
}

async function checkPage(page: Page, name: string): Promise<void> {
  expect(await faultsOf(page, { alsoAt: [360] }), name).toEqual([])
  await takeScreenshot(page, `renewal-series-${name}`)
}
