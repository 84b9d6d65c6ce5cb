import { beforeAll, describe, expect, it } from 'vitest'
import { Users } from '#core/users/users.rows.ts'
import { faultsOf, hydrated, takeScreenshot } from '#tests/support/browser.ts'
import { startDnsServer } from '#tests/support/dns-server.ts'
import { mailTo } from '#tests/support/mail-to.ts'
import { makeShop } from '#tests/support/shop.ts'
import { openVisits } from '#tests/support/visits.ts'

/** The DNS records, which the test changes. */
const records: Record<string, string[]> = {}
let dns = ''
beforeAll(async () => {
  dns = await startDnsServer(records)
})
const { server, asUser } = openVisits({
  worker: true,
  env: () => ({ MAIL_DNS: dns, MAIL_SPF_INCLUDE: '_spf.us.example' }),
})

describe('a sender of the publisher’s own', () => {
  it('is set, confirmed by its link and shown with its DNS records, with a warning when they disappear', async () => {
    const shop = await makeShop(server.services, { publicationName: 'The Pilot Cutter' })
    const publisherEmail = (await Users.find(server.services, { id: shop.publisherId }))?.email ?? ''
    const domain = 'quay.example'
    records[domain] = ['v=spf1 mx -all']
    await asUser(
      publisherEmail,
      async ({ page }) => {
        const checkPage = async (name: string) => {
          await hydrated(page)
          expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
          await takeScreenshot(page, `sender-${name}`)
        }
        await page.goto('/emailtemplates')
        await page.getByRole('link', { name: 'Sender address' }).click()
        await page.getByText('Emails are sent from this installation’s address').waitFor()

        await page.getByLabel('Sender name').fill('Quayside Press <all>')
        await page.getByLabel('Sender address').fill(`readers@${domain}`)
        await page.getByRole('button', { name: 'Save sender' }).click()
        await page.getByText('Must be a name').first().waitFor()
        await checkPage('refused')
        await page.getByLabel('Sender name').fill('Quayside Press')
        await page.getByRole('button', { name: 'Save sender' }).click()
        await page.getByText(`readers@${domain} is not confirmed yet`).waitFor()
        await checkPage('unverified')

        const { text } = await mailTo(server, `readers@${domain}`)
        const link = new URL(/https?:\S+\?token=\S+/.exec(text)?.[0] ?? '')
        await page.goto(`${link.pathname}${link.search}`)
        await page.getByRole('button', { name: 'Confirm the address' }).click()
        await page.getByText('Its DKIM record was not found yet').waitFor()
        await page.getByText('It does not contain include:_spf.us.example.').waitFor()
        await checkPage('missing')

        // Opened again, the link offers nothing that was done already.
        await page.goto(`${link.pathname}${link.search}`)
        await page.getByText(`readers@${domain} is confirmed`).waitFor()
        await expect.poll(() => page.getByRole('button', { name: 'Confirm the address' }).count()).toBe(0)

        const record = page.getByRole('listitem').filter({ hasText: 'DKIM' }).filter({ hasText: 'Value' })
        const [name = '', value = ''] = await record.locator('code').allTextContents()
        expect(name).toMatch(new RegExp(`^mh[0-9a-f]{12}\\._domainkey\\.${domain}$`))
        records[name] = [value]
        await page.getByRole('button', { name: 'Check again' }).click()
        await page.getByText(`Emails to your readers are sent from readers@${domain}`).waitFor()
        await checkPage('active')

        delete records[name]
        await page.getByRole('button', { name: 'Check again' }).click()
        await page.getByText(`Emails are no longer sent from readers@${domain}`).waitFor()
        await checkPage('lost')
        await page.goto('/emailtemplates')
        await page.getByText(`Emails are no longer sent from readers@${domain}`).waitFor()
        await checkPage('warning')
      },
      { width: 360 },
    )
  })
})
