import { expect, it } from 'vitest'
import { faultsOf, hydrated, shoot } from '#tests/support/browser.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits()

it('shows what renews, what failed and what came of it, at both widths', () =>
  asRole('publisher', async ({ page }) => {
    for (const [show, heading] of [
      ['coming', 'By month'],
      ['failed', 'What comes next'],
      ['yield', 'Share paid'],
    ] as const) {
      await page.goto(`/renewals?show=${show}`)
      await hydrated(page)
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await faultsOf(page, { isPhoneOnly: width === 360 }), `${show} at ${width}`).toEqual([])
        await shoot(page, `renewals-${show}-${width}`)
      }
      await page.getByText(heading).first().waitFor()
    }
  }))

it('stops a renewal that failed, after asking', () =>
  asRole('publisher', async ({ page }) => {
    await page.goto('/renewals?show=failed')
    await hydrated(page)
    await page.getByRole('button', { name: 'Stop the renewal' }).first().click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stop the renewal' }).click()
    await page.getByText('Automatic renewal stopped. The reader is told by email.').waitFor()
    const stopped = await server.services.db.query(`SELECT id FROM payment_agreements WHERE end_reason = 'staff'`)
    expect(stopped).toHaveLength(1)
  }))
