import { describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { finishSignup } from '#core/signup/finish-signup.ts'
import { settlePaidSignup } from '#core/signup/settle-signup.ts'
import { startSignup } from '#core/signup/start-signup.ts'
import { logIn } from '#core/users/log-in.ts'
import { arrived, faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { makeUser } from '#tests/support/factories.ts'
import { fieldOf } from '#tests/support/page-facts.ts'
import { newEmail, registrationOf, signUpPassword } from '#tests/support/sign-ups.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits()

/** Makes a paid sign-up whose email another user has taken since, and one without a company. */
async function makePaidSignups(): Promise<void> {
  const ctx = server.as(visitor)
  const start = (email: string, fields: object = {}) =>
    startSignup(ctx, { planKey: 'standard-3', email, name: 'Nell Press', priceType: 'VAT', ...fields })
  const taken = newEmail()
  const { paymentIntentId, reference } = await start(taken, { registration: registrationOf(taken) })
  await makeUser(server.services, { email: taken })
  await finishSignup(ctx, { paymentIntentId, reference }).catch(() => {})
  const { paymentIntentId: payment } = await start(newEmail(), { name: 'Tom Quill' })
  await settlePaidSignup(ctx, { payment, invoice: null, subscription: null, customer: null })
}

describe('the superuser’s sign-ups', () => {
  it('are registered with another email, refunded and settled elsewhere', () =>
    asRole(
      'super',
      async ({ page }) => {
        const checkPage = async (name: string) => {
          expect(await faultsOf(page, { alsoAt: [1280] }), name).toEqual([])
          await takeScreenshot(page, `sign-ups-${name}`)
        }
        await server.services.db.run(`DELETE FROM signups`)
        await page.goto('/signups')
        await page.getByText('Nothing to settle').waitFor()
        await checkPage('none')
        await makePaidSignups()
        await makePaidSignups()
        await page.goto('/signups')
        await checkPage('open')

        await page.getByRole('link', { name: 'View Quayside Press' }).first().click()
        await arrived(page, /\/signups\/\d+$/)
        await checkPage('details')
        await page.getByRole('button', { name: 'Register', exact: true }).click()
        await page.getByRole('link', { name: /That email is already taken/ }).waitFor()
        await checkPage('taken')
        const email = newEmail()
        await fieldOf(page, 'email').fill(email)
        await page.getByRole('button', { name: 'Register', exact: true }).click()
        await page.getByText('Registered by hand').waitFor()
        await checkPage('registered')
        const ctx = server.as(visitor)
        await expect(logIn(ctx, { email, password: signUpPassword })).resolves.toBeDefined()

        await page.goto('/signups')
        await page.getByRole('link', { name: 'View Quayside Press' }).click()
        await page.getByRole('button', { name: 'Refund £162.00' }).click()
        await page.getByRole('alertdialog').getByText('This cannot be undone').waitFor()
        await takeScreenshot(page, 'sign-ups-asked')
        await page.getByRole('alertdialog').getByRole('button', { name: 'Refund £162.00' }).click()
        await page.getByText('Refund reference').waitFor()

        await page.goto('/signups')
        await page.getByRole('link', { name: 'View Tom Quill' }).first().click()
        await checkPage('no-details')
        await page.getByLabel('How it was settled').fill('Bank transfer of 22 November')
        await page.getByRole('button', { name: 'Mark as settled' }).click()
        await page.getByText('Settled elsewhere').first().waitFor()
        await page.getByText('Bank transfer of 22 November').waitFor()

        await page.goto('/signups?show=settled')
        await expect.poll(() => page.getByRole('cell', { name: 'Marguerite Okonkwo' }).count()).toBe(3)
        await checkPage('settled')
      },
      { width: 360, height: 800 },
    ))

  it('report a missing value, and are refunded without JavaScript', () =>
    asRole(
      'super',
      async ({ page }) => {
        await server.services.db.run(`DELETE FROM signups`)
        await makePaidSignups()
        await page.goto('/signups')
        await page.getByRole('link', { name: 'View Tom Quill' }).click()
        await page.getByRole('button', { name: 'Mark as settled' }).click()
        await page.getByRole('link', { name: /How it was settled: enter a value/ }).waitFor()
        await page.getByRole('button', { name: 'Refund £162.00' }).click()
        await page.getByText('Refund reference').waitFor()
      },
      { javaScriptEnabled: false },
    ))
})
