import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { arrived, faultsOf, layoutFaultsOf } from '#tests/support/browser.ts'
import { makeUser } from '#tests/support/factories.ts'
import { expectNoFaults } from '#tests/support/no-faults.ts'
import { focusedId, focusedText, mainText, pathOf } from '#tests/support/page-facts.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole, fetchAs } = openVisits()
const ids: Record<string, number> = {}

beforeAll(async () => {
  const rows = await server.services.db.query<{ id: number; email: string }>(`SELECT id, email FROM users`)
  for (const { id, email } of rows) ids[email.split('@')[0] ?? ''] = id
})

async function newStaff(firstName: string, lastName: string): Promise<number> {
  const user = await makeUser(server.services, {
    userType: 'mailer',
    firstName,
    lastName,
    parentPublisherId: ids.publisher ?? 0,
  })
  return user.id
}

async function isActive(id: number): Promise<boolean> {
  const [row] = await server.services.db.query<{ is_active: unknown }>(`SELECT is_active FROM users WHERE id = :id`, {
    id,
  })
  return row?.is_active === 1
}

const card = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })

describe('the screens that no other test opens', () => {
  it.each([
    ['super', () => ['/users', '/adduser']],
    ['reseller', () => [`/edituser/${ids.publisher}`]],
    ['publisher', () => [`/edituser/${ids.publisher}`, `/edituser/${ids.mailer}?confirm=deactivate`]],
  ] as const)('of a %s have no faults at any width', (role, paths) =>
    asRole(role, async ({ page }) => {
      for (const path of paths()) {
        await page.goto(path)
        await expectNoFaults(page, `${role}${path}`)
      }
    }),
  )
})

describe('a publisher and its staff', () => {
  it('sees all errors of a new user at once, then sends an invitation', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto('/users')
      await expectNoFaults(page, 'users')
      await page.getByRole('link', { name: 'Add user' }).click()
      await arrived(page, '**/adduser')
      await expectNoFaults(page, 'add-user')
      await page.getByLabel('First name').fill('Ann')
      await page.getByLabel('Email').fill('PUBADMIN@demo.masthead.test')
      await page.getByRole('button', { name: 'Add user' }).click()
      const summary = page.getByRole('alert')
      await summary.waitFor()
      await expect.poll(() => focusedText(page)).toContain('User not addedPlease fix the errors and retry')
      await expect.poll(() => page.title()).toMatch(/^Error: /)
      await expect
        .poll(() => summary.getByRole('listitem').allInnerTexts())
        .toEqual(['Last name: enter a value', 'Choose a role', 'That email is already taken'])
      await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Ann')
      await summary.getByRole('link', { name: 'That email is already taken' }).click()
      await expect.poll(() => focusedId(page)).toBe('field-email')
      expect(await layoutFaultsOf(page)).toEqual([])

      await page.getByLabel('Last name').fill('Lee')
      await page.getByLabel('Email').fill('ann.lee@example.test')
      await page.getByRole('radio', { name: 'Reader administrator' }).check()
      await page.keyboard.press('Enter')
      await arrived(page, '**/users')
      await page.getByText('New user added').waitFor()
      const ann = card(page, 'Ann Lee')
      await expect.poll(() => ann.innerText()).toContain('Invited on')
      await expect.poll(() => ann.innerText()).toContain('Reader administrator')
      let release = () => {}
      const isReleased = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route('**/users.data*', async (route) => {
        await isReleased
        await route.continue()
      })
      await ann.getByRole('button', { name: 'Invite again' }).click()
      // Only the button that was pressed is working, not the one that deactivates.
      await expect
        .poll(() => ann.locator('button[aria-busy]').allTextContents())
        .toEqual([expect.stringContaining('Invite again')])
      release()
      await page.getByText('A new invitation is on its way to Ann Lee').waitFor()
    }))

  it('confirms a deactivation: the focus starts on Cancel, Esc goes back, the red button deactivates', () =>
    asRole('publisher', async ({ page }) => {
      const mailerId = await newStaff('Dora', 'Dialog')
      await page.goto('/users?q=dora')
      const dora = card(page, 'Dora Dialog')
      const button = dora.getByRole('button', { name: 'Deactivate User' })
      await button.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('alertdialog', { name: "Deactivate 'Dora Dialog'?" })
      await dialog.waitFor()
      await expect.poll(() => dialog.innerText()).toContain('Are you sure you want to delete this User?')
      await expect.poll(() => focusedText(page)).toBe('Cancel')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      await expect.poll(() => focusedText(page)).toContain('Deactivate User')
      expect(await isActive(mailerId)).toBe(true)

      await page.keyboard.press('Enter')
      await dialog.getByRole('button', { name: 'Deactivate user' }).click()
      await page.getByText('Dora Dialog has been deactivated').waitFor()
      await expect.poll(() => new URL(page.url()).search).toBe('?q=dora')
      expect(await isActive(mailerId)).toBe(false)
      await expect.poll(() => focusedText(page)).toBe('Edit User: Dora Dialog')
      await expect.poll(() => dora.innerText()).toContain('Deactivated')
      expect(await faultsOf(page)).toEqual([])
      await dora.getByRole('button', { name: 'Reactivate' }).click()
      await page.getByText('Dora Dialog is active again').waitFor()
      expect(await isActive(mailerId)).toBe(true)

      await page.goto('/users?q=dora&state=active')
      await button.click()
      await dialog.getByRole('button', { name: 'Deactivate user' }).click()
      await page.getByText('No users match your filter').waitFor()
      await expect.poll(() => focusedText(page)).toContain('Users')
    }))

  it('works without JavaScript', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        await page.goto('/adduser')
        await page.getByLabel('First name').fill('Nora')
        await page.getByLabel('Last name').fill('Noscript')
        await page.getByLabel('Email').fill('nora@example.test')
        await page.getByRole('radio', { name: 'Mailing list downloader' }).check()
        await page.getByRole('radio', { name: 'Set a password now' }).check()
        await page.locator('#field-password').fill('short')
        await page.getByLabel('Confirm password').fill('other')
        await page.getByRole('button', { name: 'Add user' }).click()
        await expect.poll(() => page.title()).toMatch(/^Error: /)
        await expect.poll(() => page.getByRole('alert').innerText()).toContain('Must be at least 6 characters')
        await expect.poll(() => page.getByRole('radio', { name: 'Mailing list downloader' }).isChecked()).toBe(true)
        await expect.poll(() => page.locator('#field-password').inputValue()).toBe('')
        expect(await page.content()).not.toContain('value="short"')
        await page.locator('#field-password').fill('kite-harbour')
        await page.getByLabel('Confirm password').fill('kite-harbour')
        await page.getByRole('button', { name: 'Add user' }).click()
        await expect.poll(() => pathOf(page)).toBe('/users')
        const nora = card(page, 'Nora Noscript')
        await expect.poll(() => nora.innerText()).toContain('Never logged in')

        await nora.getByRole('button', { name: 'Deactivate User' }).click()
        await expect
          .poll(() => page.getByRole('heading', { name: "Deactivate 'Nora Noscript'?" }).isVisible())
          .toBe(true)
        await page.getByRole('button', { name: 'Deactivate user', exact: true }).click()
        await expect.poll(() => page.getByRole('button', { name: 'Reactivate' }).isVisible()).toBe(true)
        await page.goto('/users?state=deactivated')
        await expect.poll(() => card(page, 'Nora Noscript').innerText()).toContain('Deactivated')
        await page.getByRole('link', { name: 'Active', exact: true }).click()
        await expect.poll(() => card(page, 'Nora Noscript').count()).toBe(0)
      },
      { javaScriptEnabled: false },
    ))

  it('changes a role, which logs the user out, and cannot reach other publishers’ users', () =>
    asRole('publisher', async ({ page }) => {
      const id = await newStaff('Rolf', 'Role')
      await page.goto(`/edituser/${id}`)
      await expectNoFaults(page, 'edit-user')
      await page.getByRole('radio', { name: 'Reader administrator' }).check()
      await page.getByRole('button', { name: 'Update user' }).click()
      await arrived(page, '**/users')
      await page.getByText('User successfully updated').waitFor()
      const [row] = await server.services.db.query<{ user_type: string; token_version: number }>(
        `SELECT user_type, token_version FROM users WHERE id = :id`,
        { id },
      )
      expect(row).toEqual({ user_type: 'admin', token_version: 1 })

      const otherUser = await makeUser(server.services, { lastName: 'Zebrawood' })
      for (const path of [`/edituser/${otherUser.id}`, '/edituser/999999', `/users?keyedTo=${otherUser.id}`]) {
        const response = await fetchAs('publisher', path)
        expect(response.status, path).toBe(404)
        expect(await response.text()).not.toContain('Zebrawood')
      }
    }))

  it('shows why it may not deactivate itself, and why its administrator may not change it', async () => {
    await asRole('publisher', async ({ page }) => {
      await page.goto('/users')
      const ownCard = card(page, 'Eleanor Saltmarsh')
      const button = ownCard.getByRole('button', { name: 'Deactivate User' })
      await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
      await button.click({ force: true })
      await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0)
      await expect.poll(() => ownCard.innerText()).toContain('You cannot deactivate yourself')
    })
    await asRole('pubadmin', async ({ page }) => {
      await page.goto('/users')
      const publisherCard = card(page, 'Eleanor Saltmarsh')
      await expect
        .poll(() => publisherCard.innerText())
        .toContain('Only its reseller or a superuser can deactivate a publisher')
      await publisherCard.getByRole('link', { name: 'View User' }).click()
      await arrived(page, '**/edituser/*')
      await expect.poll(() => page.getByLabel('First name').count()).toBe(0)
      await expectNoFaults(page, 'look-at-publisher')
    })
  })

  it('has 8 cards in a row on wide screens, then 6, 4, 3 and 2', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto('/users')
      const columnsAt: Record<number, number> = {}
      for (const width of [1536, 1280, 1024, 768, 360]) {
        await page.setViewportSize({ width, height: 900 })
        columnsAt[width] = await page
          .getByRole('list', { name: 'Users' })
          .evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length)
      }
      expect(columnsAt).toEqual({ 1536: 8, 1280: 6, 1024: 4, 768: 3, 360: 2 })
    }))
})

describe('a manager of publishers', () => {
  it('adds a publisher to a reseller, with its number of titles', () =>
    asRole('super', async ({ page }) => {
      await page.goto('/publishers')
      await page.getByRole('link', { name: 'Add publisher or reseller' }).click()
      await arrived(page, '**/addpublisher')
      await expectNoFaults(page, 'add-publisher')
      await page.getByRole('radio', { name: /^Reseller/ }).check()
      await expect.poll(() => page.getByLabel('Titles allowed').isVisible()).toBe(false)
      await page.getByRole('radio', { name: /^Publisher/ }).check()
      await page.getByLabel('Company').fill('Kite Press')
      await page.getByLabel('First name').fill('Kit')
      await page.getByLabel('Last name').fill('Kestrel')
      await page.locator('#field-email').fill('kit@example.test')
      await page.getByLabel('Titles allowed').fill('4')
      await page.locator('#field-resellerId').selectOption('Northlight Media Services')
      await page.getByRole('button', { name: 'Add account' }).click()
      await arrived(page, '**/publishers')
      await page.getByText('New user added').waitFor()
      const row = page.getByRole('row').filter({ hasText: 'Kite Press' })
      await expect.poll(() => row.innerText()).toContain('0 of 4')
      await expect.poll(() => row.innerText()).toContain('Northlight Media Services')
      await page.getByRole('searchbox').fill('kite')
      await page
        .getByRole('status')
        .filter({ hasText: /^1 of \d+ accounts$/ })
        .waitFor()
    }))

  it('closes a publisher with its shop, says what stops, and opens it again', () =>
    asRole('reseller', async ({ page }) => {
      const staff = await server.services.db.query(`SELECT id FROM users WHERE parent_publisher_id = :id`, {
        id: ids.publisher ?? 0,
      })
      await page.goto('/publishers')
      await expectNoFaults(page, 'publishers-reseller')
      const row = page.getByRole('row').filter({ hasText: 'Eleanor Saltmarsh' })
      await row.getByRole('button', { name: 'Deactivate' }).click()
      const dialog = page.getByRole('alertdialog')
      await expect
        .poll(() => dialog.innerText())
        .toContain(`${staff.length} members of staff can no longer log in, and 3 storefronts close`)
      const [renewing] = await server.services.db.query<{ n: number }>(
        `SELECT count(*) AS n FROM payment_agreements WHERE state = 'active'`,
      )
      await expect
        .poll(() => dialog.innerText())
        .toContain(`${renewing?.n} subscriptions that renew automatically are not charged while it is deactivated`)
      await dialog.getByRole('button', { name: 'Deactivate publisher' }).click()
      await page.getByText('Saltmarsh').first().waitFor()
      await row.getByRole('button', { name: 'Reactivate' }).waitFor()

      const closed = await page.goto('/harbour-light')
      expect(closed?.status()).toBe(410)
      await expect.poll(() => page.locator('h1').innerText()).toBe('Harbour Light')
      await expect.poll(() => mainText(page)).toContain('This shop is closed at the moment')
      await expect.poll(() => page.locator('main form, main button').count()).toBe(0)
      await expect.poll(() => page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex')
      expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
      expect((await page.goto('/no-such-title'))?.status()).toBe(404)

      await page.goto('/publishers')
      await row.getByRole('button', { name: 'Reactivate' }).click()
      await row.getByRole('button', { name: 'Deactivate' }).waitFor()
      await expect.poll(async () => (await page.goto('/harbour-light'))?.status(), { timeout: 15_000 }).toBe(200)
    }))
})
