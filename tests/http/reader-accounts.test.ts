import { afterAll, beforeAll, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { followLaterEnds } from '#core/agreements/payment-agreements.rows.ts'
import { makeBuyerLink } from '#core/buyers/buyer-link.ts'
import { logInBuyer } from '#core/buyers/log-in-buyer.ts'
import { dayOf } from '#core/kernel/calendar.ts'
import { openEnd } from '#core/kernel/dates.ts'
import { languages } from '#core/kernel/languages.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { renewKey } from '#core/renewals/renew-link.ts'
import { announceRenewals } from '#tests/support/announce-renewals.ts'
import { makeEffort } from '#tests/support/make-effort.ts'
import { makeReader as makeReaderRow } from '#tests/support/readers.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'
import { loadMessages } from '#web/app/i18n/messages.ts'
import { translatorOf } from '#web/app/i18n/translator-of.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ seed: false })
})
afterAll(() => server.stop())

const asVisitor = () => server.as(visitor)

/** A reader who has bought a year that renews, and requests their pages in a language. */
async function makeReader() {
  const shop = await makeShop(server.services)
  const form = orderForm(shop, { plan: '1PR25.00' })
  await placeOrder(asVisitor(), form)
  const { sessionToken } = await logInBuyer(asVisitor(), {
    urlKey: shop.urlKey,
    email: form.email,
    password: form.password,
  })
  const cookie = `masthead-reader-${shop.id}=${sessionToken}`
  const read = async (path: string, language = 'en') => {
    const url = `${server.url}/${shop.urlKey}${path}${path.includes('?') ? '&' : '?'}lang=${language}`
    const response = await fetch(url, { headers: { cookie }, redirect: 'manual' })
    return { status: response.status, text: await response.text() }
  }
  const [agreement] = await rowsOf(server.services, 'payment_agreements', shop.id)
  return { shop, read, cookie, agreementId: Number(agreement?.id) }
}

it('a renewal whose subscription runs until further notice is shown without a day, in every language', async () => {
  const { shop, read, agreementId } = await makeReader()
  await server.services.db.run(`UPDATE readers SET sub_end_on = :openEnd WHERE publication_id = :id`, {
    openEnd,
    id: shop.id,
  })
  await followLaterEnds(asVisitor(), [agreementId])
  const paths = ['/account', `/account/renewal/${agreementId}`, `/account/card?agreement=${agreementId}`]
  for (const path of paths) {
    for (const language of languages) {
      const { status, text } = await read(path, language)
      const visible = text.replace(/<script[\s\S]*?<\/script>/g, '')
      expect([path, language, status, visible.match(/.{0,80}2100.{0,20}/)?.[0]]).toEqual([
        path,
        language,
        200,
        undefined,
      ])
    }
  }
  expect((await read('/account')).text).toContain(
    'Your subscription runs until further notice. As long as it does, nothing is charged.',
  )
})

it('a link to pay or to extend that is no longer valid says so in every language, and leads to the account', async () => {
  const { shop, read } = await makeReader()
  for (const language of languages) {
    await loadMessages(language)
    for (const page of ['renew', 'extend']) {
      const { status, text } = await read(`/${page}/zz.20261101.aaaaaaaaaaaaaaaaaaaaaa`, language)
      expect([page, language, status]).toEqual([page, language, 404])
      expect(text).toContain(`href="/${shop.urlKey}/account"`)
      const heading = translatorOf(language)('This link is no longer valid')
      expect(text.replace(/&#x27;/g, "'")).toMatch(new RegExp(`<title>${heading} – .*<h1[^>]*>${heading}</h1>`, 's'))
    }
  }
})

it('a new password by a link logs out whoever else is logged in with the browser', async () => {
  const { shop, read, cookie } = await makeReader()
  const form = orderForm(shop, { email: 'other@example.test' })
  await placeOrder(asVisitor(), form)
  const [buyer] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM buyers WHERE publication_id = :id AND email_key = 'other@example.test'`,
    { id: shop.id },
  )
  const { url = '' } = (await makeBuyerLink(asVisitor(), buyer?.id ?? 0)) ?? {}
  expect((await read('/account')).status).toBe(200)
  const page = await fetch(server.url + new URL(url).pathname, {
    method: 'POST',
    headers: { cookie, origin: server.url },
    body: new URLSearchParams({ password: 'kite-under-harbour', password2: 'kite-under-harbour' }),
  })
  expect(page.headers.get('set-cookie')).toContain(`masthead-reader-${shop.id}=;`)
  expect(await page.text()).toContain(`href="/${shop.urlKey}/login"`)
  expect((await read('/account')).status).toBe(302)
})

it('a link that a mail program has made longer is not found, rather than a fault of ours', async () => {
  const { shop, read } = await makeReader()
  const longKey = `zz.20261101.${'a'.repeat(200)}`
  for (const page of ['renew', 'extend', 'stop'])
    expect([page, (await read(`/${page}/${longKey}`)).status]).toEqual([page, 404])
  for (const page of ['ordersuccess', 'ordercancel'])
    expect([page, (await fetch(`${server.url}/${page}?orderNumber=${shop.urlKey}&key=${longKey}`)).status]).toEqual([
      page,
      404,
    ])
})

it('a link to pay opens and changes nothing under the address of another shop', async () => {
  const { services } = server
  const { shop } = await makeReader()
  const { shop: other } = await makeReader()
  const system = server.as({ kind: 'system' })
  const today = dayOf(services.now(), services.settings.timeZone)
  await services.db.run(`UPDATE readers SET sub_end_on = :today WHERE publication_id = :id`, { today, id: shop.id })
  await services.db.run(`UPDATE payment_agreements SET renews_on = :today WHERE publication_id = :id`, {
    today,
    id: shop.id,
  })
  await announceRenewals(system, today, { publicationId: shop.id })
  const [renewal] = await rowsOf(services, 'renewals', shop.id)
  const agreements = await rowsOf(services, 'payment_agreements', shop.id)
  const link = { renewalId: Number(renewal?.id), until: String(renewal?.grace_until) }
  const key = renewKey(services.settings.appSecret, link)
  const send = (urlKey: string, path: string, values: Record<string, string>) =>
    fetch(`${server.url}/${urlKey}/renew/${key}${path}`, {
      method: 'POST',
      headers: { Origin: server.url },
      body: new URLSearchParams(values),
      redirect: 'manual',
    })
  const card = { reference: demoCards.declinedLater }
  for (const [path, values] of [
    ['', card],
    ['', { intent: 'confirm' }],
    ['', { intent: 'confirmed' }],
    ['/begin', {}],
    ['/begin', { intent: 'confirm' }],
  ] as const) {
    const { status } = await send(other.urlKey, path, values)
    expect([path, values, status]).toEqual([path, values, 404])
  }
  expect(await rowsOf(services, 'renewals', shop.id)).toEqual([renewal])
  expect(await rowsOf(services, 'payment_agreements', shop.id)).toEqual(agreements)
  expect((await send(shop.urlKey, '', card)).status).toBe(200)
  expect(await rowsOf(services, 'payment_agreements', shop.id)).not.toEqual(agreements)
})

it('a link to extend whose answer has expired promises nothing that a page without JavaScript cannot keep', async () => {
  const shop = await makeShop(server.services)
  const readerId = await makeReaderRow(server.services, shop.id, { postCode: 'TR11 3LH', country: 'GB' })
  const { key } = await makeEffort(server.services, readerId, { validUntil: '2099-12-31' })
  const response = await fetch(`${server.url}/${shop.urlKey}/extend/${key}`, {
    method: 'POST',
    headers: { Origin: server.url },
    body: new URLSearchParams(flatFields(orderForm(shop))),
  })
  const text = await response.text()
  expect(text).toContain('Too much time has passed. Please answer the question again.')
  expect(text.replaceAll(/<script[\s\S]*?<\/script>/g, '')).not.toContain('still there')
})

/** An order form as a browser posts it: `billing.city`. */
function flatFields(form: object): Record<string, string> {
  const fields = Object.entries(form).flatMap(([name, value]) =>
    typeof value === 'object'
      ? Object.entries(flatFields(value)).map(([inner, text]) => [`${name}.${inner}`, text])
      : [[name, String(value)]],
  )
  return Object.fromEntries(fields)
}
