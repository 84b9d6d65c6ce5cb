import { beforeAll, describe, expect, it } from 'vitest'
import { AddressMarks } from '#core/bounces/address-marks.rows.ts'
import { sendMail } from '#core/emails/send-mail.ts'
import { arrived, faultsOf, layoutFaultsAt, takeScreenshot } from '#tests/support/browser.ts'
import { system } from '#tests/support/factories.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits({ worker: true })

let publicationId = 0
beforeAll(async () => {
  const [row] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM publications WHERE url_key = 'harbour-light'`,
  )
  publicationId = row?.id ?? 0
})

describe('the mail log', () => {
  it('is searched, opens an email as it was sent, and sends it again', async () => {
    const email = 'log@example.test'
    const [order] = await server.services.db.query<{ id: number; readerId: number }>(
      `SELECT id, reader_id AS "readerId" FROM orders WHERE publication_id = :publicationId AND state = 'paid' AND reader_id IS NOT NULL
         AND renewal_id IS NULL ORDER BY id DESC LIMIT 1`,
      { publicationId },
    )
    const { id: orderId = 0, readerId } = order ?? {}
    await server.services.db.run(`UPDATE orders SET email = :email WHERE id = :orderId`, { email, orderId })
    await server.services.db.run(`DELETE FROM emails WHERE order_id = :orderId`, { orderId })
    const ctx = server.as(system)
    await sendMail(ctx, { mail: 'order-receipt', about: { orderId } })
    await asRole(
      'publisher',
      async ({ page }) => {
        await page.goto('/emailtemplates')
        await page.getByRole('link', { name: 'Mail log of Harbour Light' }).click()
        await arrived(page, `/maillog/${publicationId}`)
        await page.getByRole('main').getByRole('searchbox').fill(email)
        await page.getByRole('link', { name: `Remove the filter “${email}”` }).waitFor()
        await page.getByRole('link', { name: 'Purchase Receipt' }).waitFor()
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'mail-log')
        await page.getByRole('link', { name: 'Purchase Receipt' }).click()
        const mail = page.frameLocator('iframe[title="The email as HTML"]')
        await mail.getByText('Total paid').first().waitFor()
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'mail-log-mail')
        await page.getByRole('button', { name: 'Send again' }).click()
        await page.getByText(`Purchase Receipt was sent to ${email} again`).waitFor()
        await arrived(page, `/maillog/${publicationId}`)
        await page.goto(`/editreader/${readerId}`)
        await expect.poll(() => page.getByRole('heading', { name: 'Emails' }).count()).toBe(1)
      },
      { width: 360 },
    )
    const sentEmailsSql = `SELECT id FROM emails WHERE to_address = :email AND state = 'sent'`
    await expect.poll(async () => (await server.services.db.query(sentEmailsSql, { email })).length).toBe(2)
  })

  it('lets emails be sent again to an address that bounced, of a buyer or of the publication itself', async () => {
    const { services } = server
    const [row] = await services.db.query<{ publisherId: number; emailId: number; to: string; own: string }>(
      `SELECT p.publisher_id AS "publisherId", e.id AS "emailId", e.to_address AS "to", p.order_email_address AS own
       FROM emails e JOIN publications p ON p.id = e.publication_id
       WHERE p.id = :publicationId AND e.template = 'order-receipt' ORDER BY e.id DESC LIMIT 1`,
      { publicationId },
    )
    const { publisherId = 0, emailId, to = '', own = '' } = row ?? {}
    for (const addressKey of [to, own].map((address) => address.toLowerCase()))
      await AddressMarks.insert(services, { publisherId, addressKey, bouncedAt: services.now(), answer: '550 Gone' })
    await asRole(
      'publisher',
      async ({ page }) => {
        await page.goto(`/maillog/${publicationId}/${emailId}`)
        await page.getByText(`No emails are sent to ${to}: emails to this address bounce.`).waitFor()
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await page.getByRole('button', { name: 'Try this address again' }).click()
        await page.getByText(`Emails to ${to} are no longer blocked`).waitFor()
        await expect.poll(() => page.getByRole('button', { name: 'Try this address again' }).count()).toBe(0)
        await page.goto(`/emailtemplates/${publicationId}`)
        await page.getByText(`Emails bounce: ${own}`).waitFor()
        expect(await layoutFaultsAt(page, [360, 1280])).toEqual([])
        await page.getByRole('button', { name: 'Try this address again' }).click()
        await page.getByText('Emails to the publication’s addresses are no longer blocked').waitFor()
        await expect.poll(() => page.getByText(`Emails bounce: ${own}`).count()).toBe(0)
      },
      { width: 360 },
    )
  })
})
