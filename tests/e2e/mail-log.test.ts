import { beforeAll, describe, expect, it } from 'vitest'
import { contextFor } from '#core/context.ts'
import { sendMail } from '#core/emails/send-mail.ts'
import { arrived, faultsOf, hydrated, shoot } from '#tests/support/browser.ts'
import { system } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits({ worker: true })

let publicationId = 0
beforeAll(async () => {
  const [row] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM publications WHERE url_key = 'harbour-light'`,
  )
  publicationId = row?.id ?? 0
})

describe.each([1280, 360])('the mail log, at %s px', (width) => {
  it('is searched, opens a mail as it was sent, and sends it again', async () => {
    const email = `log-${width}@example.test`
    const fields = {
      email,
      firstName: 'Lois',
      lastName: `Gull${width}`,
      subType: 'print',
      subEndOn: '2099-01-31',
    } as const
    const readerId = await makeReader(server.services, publicationId, fields)
    const about = { readerId, endsOn: fields.subEndOn }
    await sendMail(contextFor(server.services, system, { entryPoint: 'test' }), { mail: 'renewal-reminder', about })
    await asRole(
      'publisher',
      async ({ page }) => {
        await page.goto('/emailtemplates')
        await hydrated(page)
        await page.getByRole('link', { name: 'Mail log of Harbour Light' }).click()
        await page.getByRole('searchbox').fill(email)
        await page.getByRole('link', { name: `Remove the filter “${email}”` }).waitFor()
        await page.getByRole('link', { name: 'Renewal Template' }).waitFor()
        expect(await faultsOf(page)).toEqual([])
        await shoot(page, `mail-log-${width}`)
        await page.getByRole('link', { name: 'Renewal Template' }).click()
        const mail = page.frameLocator('iframe[title="The mail as HTML"]')
        await mail.getByText('Your subscription ends soon').first().waitFor()
        expect(await faultsOf(page)).toEqual([])
        await shoot(page, `mail-log-mail-${width}`)
        await page.getByRole('button', { name: 'Send again' }).click()
        await page.getByText(`Renewal Template is sent to ${email} again`).waitFor()
        await arrived(page, `/maillog/${publicationId}`)
        await page.goto(`/editreader/${readerId}`)
        await expect.poll(() => page.getByRole('heading', { name: 'Emails' }).count()).toBe(1)
      },
      { width },
    )
    await expect
      .poll(async () => (await server.services.mail.devMailbox?.list(50))?.filter(({ to }) => to === email).length)
      .toBe(2)
  })
})
