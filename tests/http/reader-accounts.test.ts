import { afterAll, beforeAll, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { followLaterEnds } from '#core/agreements/payment-agreements.rows.ts'
import { logInBuyer } from '#core/buyers/log-in-buyer.ts'
import { openEnd } from '#core/kernel/dates.ts'
import { languages } from '#core/kernel/languages.ts'
import { placeOrder } from '#core/orders/place-order.ts'
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
  return { shop, read, agreementId: Number(agreement?.id) }
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
      expect(text.replace(/&#x27;/g, "'")).toContain(translatorOf(language)('This link is no longer valid'))
    }
  }
})
