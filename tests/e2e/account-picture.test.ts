import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { UserType } from '#core/access/user-types.ts'
import { arrived, faultsOf } from '#tests/support/browser.ts'
import { makeUser } from '#tests/support/factories.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asUser } = openVisits()

/** Logs in as a new user of a type and opens the account page. */
async function asNewUser(userType: UserType, work: (page: Page) => Promise<void>): Promise<void> {
  const user = await makeUser(server.services, { userType, firstName: 'Wren', lastName: 'Avery' })
  await asUser(user.email, async ({ page }) => {
    await page.goto('/account')
    await work(page)
  })
}

describe('the picture', () => {
  const png = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#1d4f91' } })
      .png()
      .toBuffer()
  const choose = async (page: Page, name: string, buffer: Buffer, mimeType = 'image/png') =>
    page.getByLabel('Picture').setInputFiles({ name, mimeType, buffer })

  it('is previewed, saved, shown in the top bar, cached for ever and removed', () =>
    asNewUser('admin', async (page) => {
      await expect.poll(() => page.getByRole('banner').locator('img').count()).toBe(0)
      await expect.poll(() => page.getByRole('banner').innerText()).toContain('WA')
      await page.getByRole('link', { name: 'Add a picture' }).click()
      await arrived(page, '**/account/picture')
      await choose(page, 'me.png', await png(600, 400))
      await page.getByAltText('Preview of the chosen file').waitFor()
      expect(await faultsOf(page)).toEqual([])
      await page.getByRole('button', { name: 'Save picture' }).click()
      await arrived(page, '**/account')
      const avatar = page.getByRole('banner').locator('img')
      await avatar.waitFor()
      expect(await avatar.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(64)
      const address = (await avatar.getAttribute('src')) ?? ''
      const response = await fetch(server.url + address)
      expect(response.status).toBe(200)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      })
      await page.getByRole('link', { name: 'Change or remove picture' }).click()
      await page.getByRole('button', { name: 'Remove picture' }).click()
      await arrived(page, '**/account')
      await avatar.waitFor({ state: 'detached' })
      expect((await fetch(server.url + address)).status).toBe(404)
    }))

  it('is refused in place when it is not a picture', () =>
    asNewUser('publisher', async (page) => {
      await page.goto('/account/picture')
      const jpeg = await sharp({ create: { width: 900, height: 900, channels: 3, background: 'red' } })
        .jpeg()
        .toBuffer()
      const refusals: [string, Buffer, RegExp][] = [
        ['notes.png', Buffer.from('I am a text'), /not a supported image/],
        ['logo.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /not a supported image/],
        ['half.jpg', jpeg.subarray(0, jpeg.length / 2), /damaged or incomplete/],
        ['huge.png', await png(8000, 5000), /25 million pixels/],
      ]
      for (const [name, bytes, message] of refusals) {
        await choose(page, name, bytes)
        await page.getByRole('button', { name: 'Save picture' }).click()
        await page.getByRole('alert').getByText(message).waitFor()
        await expect.poll(() => page.title(), { message: name }).toMatch(/^Error: /)
      }
      await choose(page, 'large.png', Buffer.alloc(6 * 1024 * 1024))
      await page.getByText('larger than 5 MB').waitFor()
    }))

  it('is served only from its own folder', async () => {
    for (const path of ['/images/..%2fapp-secret', '/images/%2e%2e%2fmasthead.db', '/images/x.webp', '/images/']) {
      expect([path, (await fetch(server.url + path)).status]).toEqual([path, 404])
    }
  })
})
