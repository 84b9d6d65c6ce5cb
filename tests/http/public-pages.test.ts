import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { startSignup } from '#core/signup/start-signup.ts'
import { addTestimonial } from '#core/testimonials/save-testimonial.ts'
import { actorOf, makeUser } from '#tests/support/factories.ts'
import { makeShop } from '#tests/support/shop.ts'
import { staffCookie } from '#tests/support/staff-session.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    seed: false,
    env: {
      CONTACT_EMAIL: 'desk@masthead.example',
      SITE_PROMISES: 'backups',
      SITE_VIDEO_URL: 'https://films.example/masthead.mp4',
    },
  })
})
afterAll(() => server.stop())

const read = async (path: string) => (await fetch(server.url + path)).text()
const textOf = (html: string) =>
  html
    .replaceAll(/<(?:script|style)\b.*?<\/(?:script|style)>/gs, '')
    .replaceAll(/<!--.*?-->|<[^>]+>/gs, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')

describe('the landing page', () => {
  it('has both price tables with the real figures, and links to the sign-up and to the contact form', async () => {
    const html = await read('/')
    const tables = [...html.matchAll(/<table.*?<\/table>/gs)].map(([table]) => textOf(table))
    expect(tables).toEqual([
      expect.stringMatching(/1 title £65 2 to 5 titles £45 6 to 10 titles £35 More than 10 titles on request/),
      expect.stringMatching(/1 title £195 2 to 5 titles £140 6 to 10 titles £115 More than 10 titles on request/),
    ])
    expect(html).toMatch(/href="\/signup"[^>]*>SIGN ME UP</)
    expect(html.match(/href="\/contactme"[^>]*>GET IN TOUCH</g)?.length).toBeGreaterThanOrEqual(2)
  })

  it('makes only the promises that the installation’s settings allow', async () => {
    const text = textOf(await read('/'))
    expect(text).toContain(' Backups ')
    expect(text).not.toContain('Cloud storage')
    // No app is promised: the page has no link that chooses the plan with an app.
    expect(await read('/')).not.toContain('type=plus')
  })

  it('shows the configured video, which its host may serve', async () => {
    const response = await fetch(`${server.url}/`)
    expect(await response.text()).toContain('href="https://films.example/masthead.mp4"')
    expect(response.headers.get('content-security-policy')).toContain("media-src 'self' https://films.example;")
  })

  it('shows titles on sale and testimonials when there are some, and no empty section when there are none', async () => {
    const textBefore = textOf(await read('/'))
    expect(textBefore).not.toMatch(/Titles on sale here|What publishers say/)
    const shop = await makeShop(server.services)
    const superuser = server.as(await actorOf(server.services, 'superuser'))
    await addTestimonial(superuser, {
      quote: 'A day a month saved.',
      personName: 'Ann Lee',
      position: 1,
      isExample: true,
    })
    const html = await read('/')
    expect(html).toContain(`href="/${shop.urlKey}"`)
    expect(textOf(html)).toMatch(/“ ?A day a month saved. ?” Ann Lee Example/)
  })

  it('redirects logged-in staff to their own page', async () => {
    const { email } = await makeUser(server.services, { userType: 'publisher' })
    const cookie = await staffCookie(server.services, email)
    const response = await fetch(`${server.url}/`, { headers: { cookie }, redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/dashboard'])
  })
})

it('the guide has its thirteen named steps, each with a picture', async () => {
  const html = await read('/howto')
  const names = [...html.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, name]) => name)
  expect(names.slice(0, 13)).toEqual([
    'Account',
    'Sync user keys',
    'Add publication',
    'Import reader data',
    'Create user accounts',
    'Manage data',
    'Promo codes',
    'Email templates',
    'Storefront purchases',
    'Sales ledger',
    'Analytics',
    'Maintain reader data',
    'Download mailing file',
  ])
  const pictures = [...html.matchAll(/<img[^>]* src="(\/assets\/[^"]+)"/g)].map(([, source = '']) => source)
  expect(pictures).toHaveLength(13)
  for (const source of new Set(pictures)) {
    const response = await fetch(server.url + source)
    expect([source, response.status, response.headers.get('content-type')]).toEqual([source, 200, 'image/avif'])
  }
  for (const advice of ['500 px wide', '500 px tall', '70 to 100 words']) expect(textOf(html)).toContain(advice)
})

it('every public page has the same header, and no link on it is broken', async () => {
  const links = new Set<string>()
  const headers = new Set<string>()
  for (const path of ['/', '/howto', '/contactme', '/privacy']) {
    const html = await read(path)
    headers.add(/<header.*?<\/header>/s.exec(html)?.[0] ?? path)
    for (const [, href = ''] of html.matchAll(/<a [^>]*href="(\/[^"#?]*)/g)) links.add(href)
  }
  expect([...headers]).toHaveLength(1)
  expect([...links]).toEqual(expect.arrayContaining(['/howto', '/contactme', '/privacy', '/signup', '/login']))
  const brokenLinks: string[] = []
  for (const link of links) if (!(await fetch(server.url + link)).ok) brokenLinks.push(link)
  expect(brokenLinks).toEqual([])
})

it('every public page names a picture for link previews', async () => {
  for (const path of ['/', '/howto', '/contactme', '/privacy', '/signup']) {
    const [, address = ''] = /property="og:image" content="([^"]+)"/.exec(await read(path)) ?? []
    const response = await fetch(server.url + new URL(address, 'http://no.picture').pathname)
    expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'image/png'])
  }
})

it('“Check again” for a paid sign-up names the payment, so that it works in any browser', async () => {
  const ctx = server.as(visitor)
  // Without a registration no account can be made from it.
  const signUp = { planKey: 'standard-1', email: 'paid@example.test', name: 'Paid Press', priceType: 'VAT' } as const
  const { paymentIntentId, clientSecret } = await startSignup(ctx, signUp)
  const payment = { payment_intent: paymentIntentId, payment_intent_client_secret: clientSecret }
  const path = `/success?${new URLSearchParams(payment)}`
  const html = await read(path)
  expect(textOf(html)).toContain('Your account is being set up.')
  expect(html.replaceAll('&amp;', '&')).toContain(`href="${path}"`)
})

describe('the contact form without JavaScript', () => {
  const numberWords = 'zero one two three four five six seven eight nine ten'.split(' ')
  async function answeredQuestion() {
    const html = await read('/contactme')
    const [, first = '', second = ''] = /What is (\w+) plus (\w+)\?/.exec(html) ?? []
    const token = /name="token" value="([^"]+)"/.exec(html)?.[1] ?? ''
    return { token, answer: String(numberWords.indexOf(first) + numberWords.indexOf(second)) }
  }
  const messages = () => server.services.db.query(`SELECT name, message FROM contact_requests ORDER BY id`)
  const send = (fields: Record<string, string>) =>
    fetch(`${server.url}/contactme`, {
      method: 'POST',
      body: new URLSearchParams({
        name: 'Ann Lee',
        email: 'ann@example.com',
        phone: '',
        message: 'Two magazines & a paper',
        captcha: '',
        ...fields,
      }),
    })

  it('accepts a message with the answer to its question, and thanks', async () => {
    const response = await send(await answeredQuestion())
    expect(response.status).toBe(200)
    expect(textOf(await response.text())).toContain(
      'Thank you for your Contact Request. A member of the team will be in touch.',
    )
    expect((await messages()).at(-1)).toEqual({ name: 'Ann Lee', message: 'Two magazines & a paper' })
  })

  it('refuses a wrong answer, asks again and keeps what was typed', async () => {
    const messagesBefore = await messages()
    const { token } = await answeredQuestion()
    const response = await send({ token, answer: '99', message: 'Typed with care' })
    expect(response.status).toBe(422)
    const html = await response.text()
    expect(textOf(html)).toContain('That is not the right answer. Please answer the new question.')
    expect(html).toContain('Typed with care')
    expect(html).toMatch(/<title>Error: Get in touch/)
    expect(/name="token" value="([^"]+)"/.exec(html)?.[1]).not.toBe(token)
    expect((await send({ ...(await answeredQuestion()), email: 'nobody' })).status).toBe(422)
    expect(await messages()).toEqual(messagesBefore)
  })
})
