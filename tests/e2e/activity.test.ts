import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '#core/access/actor.ts'
import type { AuditAction } from '#core/audit/audit-actions.ts'
import { recordAudit } from '#core/audit/record-audit.ts'
import { contextFor } from '#core/context.ts'
import { arrived, goBack } from '#tests/support/browser.ts'
import { expectNoFaults } from '#tests/support/no-faults.ts'
import { focusedId, pathOf } from '#tests/support/page-facts.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits()
const ids: Record<string, number> = {}

beforeAll(async () => {
  const { db } = server.services
  for (const { id, email } of await db.query<{ id: number; email: string }>(`SELECT id, email FROM users`))
    ids[String(email.split('@')[0])] = id
  const [order] = await db.query<{ id: number }>(`SELECT id FROM orders WHERE state = 'paid' ORDER BY id LIMIT 1`)
  ids.order = order?.id ?? 0
  const staff = (name: 'publisher' | 'pubadmin'): Actor => ({
    kind: 'staff',
    userId: ids[name] ?? 0,
    userType: name,
    publisherId: ids.publisher ?? 0,
    email: `${name}@demo.masthead.test`,
  })
  const writeEntry = (actor: Actor, action: AuditAction, type: string, id: number | null, facts: object = {}) =>
    recordAudit(
      contextFor(server.services, actor, {
        entryPoint: 'web',
        address: '2001:db8:85a3::8a2e:370:7334',
        requestId: 'seeded',
      }),
      action,
      { type, id, ...(type === 'order' ? { publisherId: ids.publisher ?? 0 } : {}) },
      facts,
    )
  await writeEntry({ kind: 'operator' }, 'retry-jobs', 'job', null, { jobs: 3 })
  for (let n = 0; n < 14; n++)
    await writeEntry(staff('pubadmin'), 'update-user', 'user', ids.mailer ?? 0, { fields: ['firstName', 'email'] })
  await writeEntry({ kind: 'system' }, 'order-paid', 'order', ids.order, { amount: 2999, currency: 'GBP' })
  await writeEntry(staff('publisher'), 'deactivate-user', 'user', ids.admin ?? 0)
})

/** Checks the accessibility and layout of the list in one of its states. */
async function expectNoListFaults(page: Page, state: string): Promise<void> {
  await expectNoFaults(page, `activity-${state}`)
  await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1)
}

const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams)

describe('activity', () => {
  it('shows a publisher who did what, when and from where, with a link to the subject', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto('/account/activity')
      const rows = page.locator('tbody tr')
      await expect.poll(() => rows.count()).toBe(10)
      const cells = await rows.nth(1).locator('td').allInnerTexts()
      expect(cells[0]).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/)
      expect(cells[1]).toContain('publisher@demo.masthead.test')
      expect(cells.slice(2)).toEqual([
        'Deactivated a user',
        expect.stringMatching(/\S/),
        '-',
        expect.stringContaining('2001:db8'),
      ])
      await expectNoListFaults(page, 'list')
      const order = rows.nth(2)
      await expect.poll(() => order.innerText()).toContain('Amount: £29.99')
      await order.getByRole('link').click()
      await arrived(page, `**/orderDetails/${ids.order}`)
      await goBack(page)
      await expect.poll(() => pathOf(page)).toBe('/account/activity')
      // Only the rows: the filter next to them lists every action.
      const shown = await page.locator('tbody').innerText()
      expect(shown).toContain('Deactivated a user')
      expect(shown).not.toContain('failed jobs')
    }))

  it('filters by person, action and date, keeps the filter in the address, and pages', () =>
    asRole('pubadmin', async ({ page }) => {
      await page.goto('/account/activity')
      await page.getByRole('link', { name: 'Page 2', exact: true }).click()
      await arrived(page, '**page=2**')
      await page.getByRole('searchbox', { name: 'Filter by person' }).fill('the system')
      await arrived(page, '**q=the+system**')
      await page.getByRole('status').filter({ hasText: '1 event' }).waitFor()
      await page.getByRole('link', { name: /Remove the filter “the system”/ }).click()
      await arrived(page, (url) => !url.searchParams.has('q'))
      await page.getByLabel('Action', { exact: true }).selectOption({ label: 'Changed a user' })
      await page.getByRole('textbox', { name: 'From' }).fill('1/2/2026')
      await page.getByRole('button', { name: 'Show events' }).press('Enter')
      await arrived(page, '**action=update-user**')
      await page.getByRole('status').filter({ hasText: '14 events' }).waitFor()
      await expect.poll(() => queryOf(page.url())).toMatchObject({ action: 'update-user', from: '1/2/2026' })
      await page.reload()
      await expect.poll(() => page.getByRole('textbox', { name: 'From' }).inputValue()).toBe('1/2/2026')
      await page.goto('/account/activity?action=sign-up')
      await page.getByText('Nothing matches your filter').waitFor()
      await expectNoListFaults(page, 'empty')
      await page.getByRole('link', { name: 'Show all activity' }).click()
      await arrived(page, (url) => !url.search.includes('action'))
    }))

  it('reports a wrong date next to it, in the summary and in the title, and keeps it', () =>
    asRole('publisher', async ({ page }) => {
      await page.goto('/account/activity')
      await page.getByRole('textbox', { name: 'From' }).fill('31/02/2026')
      await page.getByRole('button', { name: 'Show events' }).click()
      await page.getByRole('alert').waitFor()
      await expect.poll(() => page.title()).toBe('Error: Activity – Masthead')
      await expect.poll(() => page.getByRole('textbox', { name: 'From' }).inputValue()).toBe('31/02/2026')
      await expectNoListFaults(page, 'refused')
      await page.getByRole('link', { name: 'Write the date as DD/MM/YYYY' }).click()
      await expect.poll(() => focusedId(page)).toBe('field-from')
      await expect.poll(() => page.getByRole('textbox', { name: 'From' }).getAttribute('aria-invalid')).toBe('true')
    }))

  it('works without JavaScript', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        await page.goto('/account/activity?q=demo')
        await page.getByLabel('Action', { exact: true }).selectOption({ label: 'Deactivated a user' })
        await page.getByRole('button', { name: 'Show events' }).click()
        await expect.poll(() => queryOf(page.url())).toMatchObject({ action: 'deactivate-user', q: 'demo' })
        await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
      },
      { javaScriptEnabled: false },
    ))

  it('is downloaded as filtered, and the download is the newest event', () =>
    asRole('publisher', async ({ page, context }) => {
      await page.goto('/account/activity?action=update-user')
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download CSV' }).click(),
      ])
      expect(file.suggestedFilename()).toMatch(/^activity_\d{8}\.csv$/)
      const response = await context.request.get('/account/activity.csv?action=update-user')
      expect((await response.text()).trim().split('\r\n')).toHaveLength(15)
      const [{ n: countBefore } = { n: 0 }] = await server.services.db.query<{ n: number }>(
        `SELECT COUNT(*) AS n FROM audit_log`,
      )
      expect((await context.request.head('/account/activity.csv')).status()).toBe(200)
      const publications = await server.services.db.query<{ id: number }>(`SELECT id FROM publications LIMIT 1`)
      expect((await context.request.head(`/readers/${publications[0]?.id}/all.csv`)).status()).toBe(200)
      expect((await context.request.head(`/readers/${publications[0]?.id}/mailing-file.csv`)).status()).toBe(200)
      const [rowAfter] = await server.services.db.query<{ n: number }>(`SELECT COUNT(*) AS n FROM audit_log`)
      expect(rowAfter?.n).toBe(countBefore)
      await page.goto('/account/activity')
      await expect.poll(() => page.locator('tbody tr').first().innerText()).toContain('Downloaded the activity log')
    }))

  it('shows a superuser everything, with the publisher, and filters by one', () =>
    asRole('super', async ({ page }) => {
      await page.goto('/account/activity?size=100')
      const rows = page.locator('tbody tr')
      await expect.poll(() => rows.filter({ hasText: 'Retried failed jobs' }).innerText()).toContain('The command line')
      await expect.poll(() => page.getByRole('columnheader', { name: 'Publisher' }).count()).toBe(1)
      await rows.filter({ hasText: 'Deactivated a user' }).getByRole('link').last().click()
      await arrived(page, `**publisherId=${ids.publisher}`)
      await page.getByRole('link', { name: /Remove the filter Publisher: / }).waitFor()
      await expect.poll(() => rows.filter({ hasText: 'Retried failed jobs' }).count()).toBe(0)
      await expectNoListFaults(page, 'of-a-publisher')
    }))
})
