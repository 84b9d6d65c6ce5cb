import { beforeAll, expect, it } from 'vitest'
import { Publications } from '#core/publications/publications.rows.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits()
let publicationId = 0

beforeAll(async () => {
  publicationId = (await Publications.find(server.services, { urlKey: 'slow-steam' }))?.id ?? 0
})

it('offers a removed title wherever its figures are', async () => {
  await Publications.update(server.services, { id: publicationId }, { removedAt: new Date() })
  await asRole('publisher', async ({ page }) => {
    for (const path of ['/payments', '/payments/schedule', '/payments/pack', '/circulation']) {
      await page.goto(`${path}?publication=${publicationId}`)
      const chosen = page.locator('select[name=publication] option:checked')
      expect([path, await chosen.textContent()]).toEqual([path, 'Slow Steam (removed)'])
    }
    await page.goto('/payments/pack')
    expect(await page.locator('select[name=publication] option:checked').textContent()).not.toContain('removed')
  })
})
