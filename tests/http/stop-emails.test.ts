import { afterAll, beforeAll, expect, it } from 'vitest'
import { stopKey } from '#core/emails/stop-link.ts'
import { enqueueMail } from '#core/jobs/enqueue-mail.ts'
import { addDays, dayOf } from '#core/kernel/calendar.ts'
import { remindersStoppedAt } from '#core/readers/reminder-stops.rows.ts'
import { makeReader } from '#tests/support/readers.ts'
import { plannedReminder } from '#tests/support/series.ts'
import { makeShop } from '#tests/support/shop.ts'
import { type MailServer, startMailServer } from '#tests/support/smtp-server.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'

let mail: MailServer
let server: TestServer
let shop: Awaited<ReturnType<typeof makeShop>>
let readerId = 0
beforeAll(async () => {
  mail = await startMailServer()
  server = await startTestServer({ seed: false, worker: true, env: { MAIL_URL: mail.url } })
  shop = await makeShop(server.services, { publicationName: 'Harbour Light' })
  readerId = await makeReader(server.services, shop.id, { email: 'ann@example.test' })
})
afterAll(() => server.stop())

it('opening the link changes nothing; a mail program’s one-click stops the reminders; the page restores them', async () => {
  const address = `${server.url}/${shop.urlKey}/stop/${stopKey(server.services.settings.appSecret, { readerId, what: 'reminder' })}`
  const stopped = () => remindersStoppedAt(server.services, { readerId, publicationId: shop.id })

  // Link checkers open every link, even twice.
  for (const _ of [1, 2]) {
    const page = await fetch(address)
    expect(page.status).toBe(200)
    const text = await page.text()
    expect(text).toContain('Do you want to stop the reminders that your subscription is ending?')
    expect(text).toContain('<title>Reminders – Harbour Light</title>')
  }
  expect(await stopped()).toBeNull()

  const oneClick = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
    redirect: 'manual',
  })
  expect(oneClick.status).toBe(200)
  expect(await stopped()).not.toBeNull()
  expect(await (await fetch(address, { headers: { 'Accept-Language': 'de' } })).text()).toContain('Wieder erhalten')

  const restored = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: server.url },
    body: 'intent=again',
  })
  expect(restored.status).toBe(200)
  expect(await stopped()).toBeNull()

  const unknown = await fetch(`${address.slice(0, -3)}xyz`)
  expect(unknown.status).toBe(404)
  const unknownText = await unknown.text()
  expect(unknownText).toContain('<title>This link does not work – Harbour Light</title>')
  expect(unknownText).toContain('You can also choose in your account which emails you get.')
  expect(unknownText).toContain(`href="/${shop.urlKey}/account"`)
  expect((await fetch(`${address.slice(0, -3)}xyz`, { method: 'POST', body: new URLSearchParams() })).status).toBe(404)
})

it('a one-click post to the address in the header of an email sent by SMTP stops all later reminders', async () => {
  const { services } = server
  const endsOn = addDays(dayOf(services.now(), services.settings.timeZone), 20)
  const fields = { email: 'bob@example.test', firstName: 'Bob', subType: 'print', subEndOn: endsOn } as const
  const bobId = await makeReader(services, shop.id, fields)
  const remind = async (dayOffset: number) => {
    const { about: effort } = await plannedReminder(services, bobId, endsOn, dayOffset)
    await services.db.transaction(() => enqueueMail(services, 'renewal-reminder', effort))
    await server.jobsDone()
  }
  await remind(-30)
  const [received, ...others] = mail.received.filter(({ envelope }) => envelope.to[0] === fields.email)
  expect(others).toEqual([])
  // The values of a header as a mail program reads them: on one line, whatever the case of its name.
  const header = (name: string) =>
    [...(received?.raw.matchAll(new RegExp(`^${name}: (.*)$`, 'gim')) ?? [])].map(([, value]) => value?.trim())
  expect(header('List-Unsubscribe-Post')).toEqual(['List-Unsubscribe=One-Click'])
  const [listed, ...more] = header('List-Unsubscribe')
  expect(more).toEqual([])
  const [, url = ''] = /^<(http[^<>]+)>$/.exec(listed ?? '') ?? []
  expect(new URL(url).pathname).toMatch(new RegExp(`^/${shop.urlKey}/stop/`))

  const stopped = () => remindersStoppedAt(services, { readerId: bobId, publicationId: shop.id })
  // The installation's address differs from the test server's: only that part is replaced.
  const address = `${server.url}${new URL(url).pathname}`
  // RFC 8058: either of the two forms, without a cookie, a referrer or an origin.
  const form = new FormData()
  form.append('List-Unsubscribe', 'One-Click')
  const oneClick = await fetch(address, { method: 'POST', body: form, redirect: 'manual' })
  expect(oneClick.status).toBe(200)
  expect(await stopped()).not.toBeNull()

  await remind(-14)
  expect(mail.received.filter(({ envelope }) => envelope.to[0] === fields.email)).toHaveLength(1)
})
