import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeTenant, type Tenant } from '#tests/contract/api-fixture.ts'
import { makeUser } from '#tests/support/factories.ts'
import { staffCookie } from '#tests/support/staff-session.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'

let server: TestServer
let tenant: Tenant
let staffId: number

beforeAll(async () => {
  server = await startTestServer({ seed: false })
  tenant = await makeTenant(server.services, 'Mackerel')
  const fields = { userType: 'mailer', parentPublisherId: tenant.publisherId } as const
  staffId = (await makeUser(server.services, fields)).id
  await makeUser(server.services, { userType: 'superuser', email: 'super@mackerel.test' })
})
afterAll(() => server.stop())

const publisherScreens = [
  '/dashboard',
  '/payments',
  '/renewals',
  '/renewals/series',
  '/renewals/series/results',
  '/renewals/offers',
  '/renewals/settings',
  '/renewals/prices',
  '/orderDetails/{order}',
  '/publications',
  '/publications/{publication}/cover',
  '/publications/{publication}/logo',
  '/addpublication',
  '/editpublication/{publication}',
  '/promocodes/{publication}',
  '/addpromo/{publication}',
  '/editpromo/{promo}',
  '/backIssues',
  '/backIssues/{issue}/cover',
  '/backIssues/toPost',
  '/addbackIssue',
  '/editBackIssue/{issue}',
  '/readers',
  '/readers/search',
  '/searchreaders/{publication}',
  '/addreader/{publication}',
  '/editreader/{reader}',
  '/mailingfile/{publication}',
  '/mailinglayouts/{publication}',
  '/mailinglayouts/{publication}?new',
  '/managedata',
  '/managedata/likely/{publication}',
  '/managedata/imports/{publication}',
  '/managedata/transfers/{publication}',
  '/uploadadditional/{publication}',
  '/uploadaddandcombine/{publication}',
  '/uploadreplacement/{publication}',
  '/uploadpostcodes',
  '/emailtemplates',
  '/emailtemplates/sender',
  '/emailtemplates/{publication}',
  '/emailtemplates/{publication}/gift-notice',
  '/purchasereceipt/{publication}',
  '/renewalreceipt/{publication}?language=de',
  '/users',
  '/adduser',
  '/edituser/{user}',
  '/account',
  '/account/plan',
  '/account/plan/start',
  '/account/picture',
  '/account/two-step',
  '/account/activity',
]
const superuserScreens = ['/publishers', '/addpublisher', '/testimonials', '/testimonials?new', '/signups']

it.each([
  ['publisher@mackerel.test', publisherScreens],
  ['super@mackerel.test', superuserScreens],
] as const)('a screen has the same name in menu, breadcrumb, heading and tab (%s)', async (email, screens) => {
  const headers = { cookie: await staffCookie(server.services, email) }
  const ids = await idsOfScreens()
  const different: object[] = []
  for (const path of screens) {
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name]))
    const page = await fetch(server.url + address, { headers, redirect: 'manual' })
    const names = namesOf(await page.text())
    const { menu, crumbs, heading, tab } = names
    const lastCrumb = crumbs.at(-1) ?? 'no breadcrumb'
    const isSame = crumbs[0] === menu && heading.includes(lastCrumb) && tab.includes(lastCrumb)
    if (page.status !== 200 || !isSame) different.push({ path, status: page.status, ...names })
  }
  expect(different).toEqual([])
})

async function idsOfScreens(): Promise<Record<string, number | undefined>> {
  const [reader] = await server.services.db.query<{ id: number }>(`SELECT max(id) AS id FROM readers`)
  return {
    publication: tenant.publicationId,
    reader: reader?.id,
    order: tenant.orderId,
    promo: tenant.promoId,
    issue: tenant.backIssueId,
    user: staffId,
  }
}

function namesOf(html: string) {
  const nav = (label: string) => new RegExp(`<nav[^>]*aria-label="${label}".*?</nav>`, 's').exec(html)?.[0] ?? ''
  return {
    menu: textOf(/<a[^>]*aria-current="(?:page|true)".*?<\/a>/s.exec(nav('Main menu'))?.[0] ?? ''),
    crumbs: [...nav('Breadcrumb').matchAll(/<(?:a|span aria-current)[^>]*>.*?<\/(?:a|span)>/gs)].map(([item]) =>
      textOf(item),
    ),
    heading: textOf(/<h1.*?<\/h1>/s.exec(html)?.[0] ?? ''),
    tab: textOf(/<title>.*?<\/title>/s.exec(html)?.[0] ?? ''),
  }
}

const entities: Record<string, string> = { '&amp;': '&', '&#x27;': "'", '&quot;': '"' }

function textOf(html: string): string {
  return html
    .replaceAll(/<!--.*?-->|<[^>]+>/gs, '')
    .replaceAll(/&[^;]+;/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim()
}
