import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertTask } from '#core/tasks/tasks.rows.ts'
import { makeUser } from '#tests/support/factories.ts'
import { makeShop } from '#tests/support/shop.ts'
import { staffCookie } from '#tests/support/staff-session.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'

/** The content of missing and failing pages, by the user who requests them. */
let server: TestServer
let cookie = ''
let publicationId = 0
let handle = ''

beforeAll(async () => {
  server = await startTestServer({ seed: false })
  const email = 'press@example.test'
  const { id: publisherId } = await makeUser(server.services, { email })
  const publication = await makeShop(server.services, { publisherId, publicationName: 'The Tide Table' })
  publicationId = publication.id
  handle = publication.urlKey
  cookie = await staffCookie(server.services, email)
})
afterAll(() => server.stop())

async function request(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(server.url + path, { headers, redirect: 'manual' })
  return { status: response.status, requestId: response.headers.get('X-Request-Id') ?? '', text: await response.text() }
}

async function post(path: string, values: Record<string, string>) {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { cookie, Origin: server.url },
    body: new URLSearchParams(values),
    redirect: 'manual',
  })
  return { status: response.status, text: await response.text() }
}

for (const path of [
  '/users',
  '/account/activity',
  '/searchreaders/{id}',
  '/managedata?publication={id}&view=all',
  '/payments',
  '/invoices',
  '/neworder',
  '/renewals',
  '/renewals?show=failed',
])
  it(`a search with too many characters is reported next to its box (${path})`, async () => {
    const address = path.replace('{id}', String(publicationId))
    const search = async (q: string) => request(`${address}${address.includes('?') ? '&' : '?'}q=${q}`, { cookie })
    const refused = await search('x'.repeat(203))
    expect(refused.status).toBe(200)
    // The pages of invoices and renewals have no search box, but their addresses accept a search.
    const hasBox = !/invoices|renewals/.test(path)
    expect(refused.text.includes('3 over the limit of 200 characters')).toBe(hasBox)
    expect(refused.text).not.toContain('Remove the filter')
  })

for (const path of ['/reader', '/no-such-page/at-all']) {
  it(`a mistyped address of the back office (${path}) shows its own 404 page to logged-in staff`, async () => {
    const { status, text } = await request(path, { cookie })
    expect(status).toBe(404)
    expect(text).toContain('Page not found')
    expect(text).toContain('Back to your home page')
    expect(text).toContain('Main menu')
    expect(text).not.toContain('There is no publication at this address')
  })
}

it('an address that begins with two slashes is a path, not another host', async () => {
  const statusOf = async (path: string) => [path, (await request(path)).status]
  expect(await Promise.all(['///', '//[', '//example.org/login'].map(statusOf))).toEqual([
    ['///', 200],
    ['//[', 404],
    ['//example.org/login', 404],
  ])
})

it('a host name that is none is a bad request, not a fault of ours', async () => {
  const status = await new Promise((resolve, reject) => {
    const sent = get(`${server.url}/login`, { headers: { Host: 'a b[' } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject)
  })
  expect(status).toBe(400)
})

it('a posted body that is not a form is a bad request, not a fault of ours', async () => {
  for (const path of [
    '/login',
    `/addpromo/${publicationId}`,
    `/publications/${publicationId}/preview`,
    `/${handle}/order`,
  ]) {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { cookie, Origin: server.url, 'Content-Type': 'application/json' },
      body: '{}',
      redirect: 'manual',
    })
    expect([path, response.status]).toEqual([path, 400])
  }
})

it('an unknown publication, reader or order is a page that was not found, with the menu', async () => {
  const unknown = ['/searchreaders/999999', '/searchreaders/x', '/editreader/999999999', '/orderDetails/1e9']
  for (const path of [...unknown, '/no-such-page/at-all']) {
    const { status, text } = await request(path, { cookie })
    expect([path, status]).toEqual([path, 404])
    expect(text).toContain('<title>Page not found – Masthead</title>')
    expect(/<h1.*?<\/h1>/s.exec(text)?.[0].replaceAll(/<[^>]+>/g, '')).toBe('Page not found')
    expect(text).toMatch(/<nav[^>]*aria-label="Main menu"/)
  }
})

it('a mistyped address of the back office is an unknown storefront to everybody else', async () => {
  const { status, text } = await request('/reader')
  expect(status).toBe(404)
  expect(text).toContain('There is no publication at this address')
  expect(text).not.toContain('Back to your home page')
})

it('a refused download gives its reason as a line of text to a browser that opens its address', async () => {
  const open = (path: string) => request(path, { cookie, Accept: 'text/html,*/*' })
  expect(await open('/readers/999999/all.csv')).toMatchObject({ status: 404, text: 'The publication was not found\n' })
  const { status, text } = await open('/payments/journal.csv')
  expect(status).toBe(422)
  expect(text).not.toMatch(/[{}]|Unexpected/)
})

for (const [query, message] of [
  ['journal.csv?month=zzz&layout=xero', 'Enter a month such as 2026-03'],
  ['journal.csv?month=2199-01', 'This month has not begun. Choose an earlier month.'],
  ['journal.csv?month=2026-01&layout=foo', 'Must be xero, quickbooks, sage or plain'],
  ['schedule.csv?from=zzz', 'Enter a month such as 2026-03'],
  ['orders.csv?state=zz&from=31/02/2026', 'These filters are not valid: From 31/02/2026, Status zz'],
  ['orders.csv?publication=abc&q=', 'These filters are not valid: Publication abc'],
  ['orders.csv?from=31/12/2026&until=01/01/2026', 'Enter a day that is not after the last day'],
])
  it(`a refused download gives its reason to a program too (${query})`, async () => {
    const { status, text } = await request(`/payments/${query}`, { cookie })
    expect([status, JSON.parse(text)]).toEqual([422, expect.objectContaining({ message })])
  })

it('the ledger leaves out invalid filters of its address, and explains days the wrong way round', async () => {
  const ledger = (query: string) => request(`/payments?${query}`, { cookie })
  for (const [query, message] of [
    ['publication=abc', 'Ignored filters: Publication abc'],
    ['from=31/02/2026&state=zz', 'Ignored filters: From 31/02/2026, Status zz'],
    ['from=01/02/2026&by=zz', 'Ignored filters: Dates refer to zz'],
    ['sort=nope', 'Sales Ledger'],
    ['from=31/12/2026&until=01/01/2026&size=25', 'Swap the dates'],
  ] as const) {
    const { status, text } = await ledger(query)
    expect(status, query).toBe(200)
    expect(text, query).toContain(message)
  }
})

it('another publisher’s publication is not found among the offers, whatever is requested of it', async () => {
  const { id } = await makeShop(server.services)
  for (const query of ['', '&offer=new', '&offer=1', '&offer=1&edit=yes']) {
    const { status } = await request(`/renewals/offers?publication=${id}${query}`, { cookie })
    expect([query, status]).toEqual([query, 404])
  }
  for (const intent of ['save', 'remove', 'send']) {
    const { status } = await post('/renewals/offers', { intent, publicationId: String(id), id: '1', name: 'Spring' })
    expect([intent, status]).toEqual([intent, 404])
  }
})

it('a form that is out of date leads back to its own page', async () => {
  const path = `/promocodes/${publicationId}?page=1`
  const { status, text } = await post(path, { intent: 'of-an-earlier-version' })
  expect(status).toBe(400)
  expect(text).toContain('This form is out of date.')
  expect(text).toMatch(new RegExp(`href="${path.replace('?', '\\?')}"[^>]*>Try again`))
})

it('the search of everything names what was searched for, cut to the limit of a search', async () => {
  const { status, text } = await request(`/readers/search?q=${'x'.repeat(203)}`, { cookie })
  expect(status).toBe(200)
  expect(text).toContain(`Results for “${'x'.repeat(200)}”`)
})

it('a failing page has the menu, a reference that is in the log, and a Retry at its own address', async () => {
  const path = `/promocodes/${publicationId}?page=2`
  await server.services.db.run(`ALTER TABLE promo_codes RENAME TO promo_codes_away`)
  const { status, text, requestId } = await request(path, { cookie })
  await server.services.db.run(`ALTER TABLE promo_codes_away RENAME TO promo_codes`)
  expect(status).toBe(500)
  expect(text).toContain('Main menu')
  expect(text).toContain('Sorry, something went wrong')
  expect(requestId).not.toBe('')
  expect(text).toContain(`>${requestId}<`)
  expect(text).toContain(`href="${path}"`)
})

describe('below a shop', () => {
  const german = { 'Accept-Language': 'de-DE' }
  const titleOf = (text: string) => /<title>([^<]*)<\/title>/.exec(text)?.[1]

  it('an unknown address is in the visitor’s language, under the shop’s name, with a link back to it', async () => {
    for (const path of [`/${handle}/nowhere/at-all`, `/${handle}/nowhere`]) {
      const { status, text } = await request(path, german)
      expect(status).toBe(404)
      expect(text).toContain('<html lang="de-DE">')
      expect(text).toContain('Seite nicht gefunden')
      expect(text).toMatch(new RegExp(`<a[^>]* href="/${handle}"[^>]*>Zurück zu The Tide Table</a>`))
      expect(titleOf(text)).toBe('Seite nicht gefunden – The Tide Table')
      expect(text).not.toContain('Masthead<')
    }
  })

  it('a failing page is in the visitor’s language and under the shop’s name too, with a reference and a Retry', async () => {
    await server.services.db.run(`ALTER TABLE sessions RENAME TO sessions_away`)
    const path = `/${handle}/login?country=DE`
    const { status, text, requestId } = await request(path, { ...german, cookie: `masthead-reader-${publicationId}=x` })
    await server.services.db.run(`ALTER TABLE sessions_away RENAME TO sessions`)
    expect(status).toBe(500)
    expect(titleOf(text)).toBe('Leider ist etwas schiefgegangen – The Tide Table')
    expect(text).toContain(`>${requestId}<`)
    expect(text).toContain(`href="${path}"`)
    expect(text).toMatch(new RegExp(`href="/${handle}"[^>]*>Zurück zu The Tide Table`))
    expect(text).not.toContain('href="/"')
  })

  it('the page of an invalid password link is in the visitor’s language', async () => {
    const { status, text } = await request('/resetsub/nobody', german)
    expect(status).toBe(200)
    expect(titleOf(text)).toBe('Neues Passwort wählen')
    expect(text).toContain('Der verwendete Link ist falsch oder abgelaufen')
    expect(text).not.toContain('Masthead')
  })
})

it('a page that fails during rendering has the menu and a reference too', async () => {
  const now = new Date()
  await server.services.db.run(
    `INSERT INTO postcode_files (publication_id, is_live, file_name, bytes, failed, rejects)
     VALUES (:publicationId, :yes, 'codes.csv', 1, 1, '{}')`,
    { publicationId, yes: true },
  )
  const [file] = await server.services.db.query<{ id: number }>(`SELECT max(id) AS id FROM postcode_files`)
  await insertTask(server.services.db, {
    kind: 'import-postcodes',
    lockKey: `postcodes:${publicationId}`,
    publisherId: null,
    publicationId,
    subjectId: Number(file?.id),
    total: 1,
    actorKind: 'system',
    actorId: null,
    onLost: 'restart',
    undoOf: null,
    now,
  })
  await server.services.db.run(`UPDATE tasks SET state = 'done', finished_at = :now`, { now })
  const { status, text, requestId } = await request(`/uploadpostcodes?publication=${publicationId}`, { cookie })
  expect(status).toBe(500)
  expect(text).toContain('Main menu')
  expect(text).toContain(`>${requestId}<`)
})
