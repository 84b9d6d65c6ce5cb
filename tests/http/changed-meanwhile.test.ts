import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { getAccount } from '#core/accounts/get-account.query.ts'
import { updateAccount } from '#core/accounts/update-account.ts'
import { createBackIssue } from '#core/back-issues/create-back-issue.ts'
import { getBackIssue } from '#core/back-issues/get-back-issue.query.ts'
import { updateBackIssue } from '#core/back-issues/update-back-issue.ts'
import type { AppContext } from '#core/context.ts'
import { saveMailText } from '#core/emails/save-mail-text.ts'
import { addDays, dayOf } from '#core/kernel/calendar.ts'
import { formatDay } from '#core/kernel/dates.ts'
import { type MailingLayout, standardLayout } from '#core/mailing/layout.rules.ts'
import { listLayouts } from '#core/mailing/list-layouts.query.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { getRefundPolicy, setRefundPolicy } from '#core/orders/refund-policy.ts'
import { createPromo } from '#core/promos/create-promo.ts'
import { getPromo } from '#core/promos/get-promo.query.ts'
import { everyProduct } from '#core/promos/promo.rules.ts'
import { updatePromo } from '#core/promos/update-promo.ts'
import { editPublication } from '#core/publications/edit-publication.ts'
import { getPublicationFields } from '#core/publications/get-publication-fields.query.ts'
import { removePublication } from '#core/publications/remove-publication.ts'
import { ProviderLines } from '#core/reconciliation/provider-lines.rows.ts'
import { ProviderReports } from '#core/reconciliation/provider-reports.rows.ts'
import { getRenewalSettings, setRenewalSettings } from '#core/renewals/renewal-settings.ts'
import { stopRenewal } from '#core/renewals/stop-renewal.ts'
import { getSender } from '#core/senders/get-sender.query.ts'
import { saveSender } from '#core/senders/save-sender.ts'
import { getBlanketOffer, removeBlanketOffer, saveBlanketOffer } from '#core/series/blanket-offers.ts'
import { setEffort } from '#core/series/change-effort.ts'
import { sendBlanketOffer } from '#core/series/send-blanket-offer.ts'
import { getSeries } from '#core/series/series-settings.ts'
import { finishSignup } from '#core/signup/finish-signup.ts'
import { refundSignup } from '#core/signup/refund-signup.ts'
import { settlePaidSignup } from '#core/signup/settle-signup.ts'
import { startSignup } from '#core/signup/start-signup.ts'
import { listTestimonials } from '#core/testimonials/list-testimonials.query.ts'
import { addTestimonial, removeTestimonial, updateTestimonial } from '#core/testimonials/save-testimonial.ts'
import { getTransfer } from '#core/transfers/list-transfers.query.ts'
import { removeLayout } from '#core/transfers/remove-layout.ts'
import { saveLayout } from '#core/transfers/save-layout.ts'
import { addTransfer, changeTransfer } from '#core/transfers/save-transfer.ts'
import { updateUser } from '#core/users/update-user.ts'
import { Users } from '#core/users/users.rows.ts'
import { getVatSettings, setVatSettings } from '#core/vat/vat-settings.ts'
import { addWebhook, changeWebhook } from '#core/webhooks/change-webhooks.ts'
import { getWebhook } from '#core/webhooks/list-webhooks.query.ts'
import { beforeNextTransaction } from '#tests/support/before-transaction.ts'
import { actorOf, makeUser, operator } from '#tests/support/factories.ts'
import { makeReader, readerRow } from '#tests/support/readers.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { newEmail, registrationOf } from '#tests/support/sign-ups.ts'
import { staffCookie } from '#tests/support/staff-session.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'
import { layoutValues } from '#web/app/components/mailing/layout-values.ts'

/** Forms that are open in one tab, of records that change in another. */
let server: TestServer
let shop: Awaited<ReturnType<typeof makeShop>>
let ctx: AppContext
let publisher: Browser
let superuser: Browser
beforeAll(async () => {
  server = await startTestServer({ seed: false })
  shop = await makeShop(server.services)
  ctx = server.as(operator)
  publisher = await logInAs((await Users.find(server.services, { id: shop.publisherId }))?.email ?? '')
  superuser = await logInAs((await makeUser(server.services, { userType: 'superuser' })).email)
})
afterAll(() => server.stop())

interface Page {
  status: number
  to: string | null
  text: string
  /** The toast that the next page shows. */
  toast: string
}
interface Browser {
  open(path: string): Promise<Page>
  send(path: string, values: Record<string, string>): Promise<Page>
}

async function logInAs(email: string): Promise<Browser> {
  const headers = { cookie: await staffCookie(server.services, email), Origin: server.url }
  const request = async (path: string, init: RequestInit): Promise<Page> => {
    const response = await fetch(server.url + path, { redirect: 'manual', ...init, headers })
    const toast = decodeURIComponent(response.headers.get('set-cookie') ?? '')
    return { status: response.status, to: response.headers.get('location'), text: await response.text(), toast }
  }
  return {
    open: (path) => request(path, {}),
    send: (path, values) => request(path, { method: 'POST', body: new URLSearchParams(values) }),
  }
}

const columns = [{ column: 'FullName' as const, header: '' }]
const owner = async () => server.as(await actorOf(server.services, 'publisher', shop.publisherId))

describe('a form of a page that was opened before a deployment', () => {
  it('names its mailing layout by the address: it is renamed, not added', async () => {
    const address = `/mailinglayouts/${shop.id}`
    await saveLayout(ctx, { publicationId: shop.id, name: 'Harbour post', layout: { columns } })
    const { was: _, ...values } = { ...layoutValues('Quay post', false, standardLayout), was: '' }
    const saved = await publisher.send(`${address}?edit=Harbour+post`, { ...values, intent: 'save' })
    expect(saved.to).toBe(address)
    const { text } = await publisher.open(address)
    expect(text).toContain('Quay post')
    expect(text).not.toContain('Harbour post')
    await removeLayout(ctx, { publicationId: shop.id, name: 'Quay post' })
  })
})

describe('a form whose record was removed in another tab', () => {
  it('of a mailing layout: keeps what was typed, and saves it as a new one', async () => {
    const address = `/mailinglayouts/${shop.id}`
    const listText = async () => (await publisher.open(address)).text
    await saveLayout(ctx, { publicationId: shop.id, name: 'Acme', layout: { columns } })
    const page = `${address}?edit=Acme`
    expect((await publisher.open(page)).text).toContain('name="was" value="Acme"')
    await removeLayout(ctx, { publicationId: shop.id, name: 'Acme' })

    const typed = { ...layoutValues('Acme Mail', false, standardLayout), keyLine: 'Typed {reference}', was: 'Acme' }
    for (const intent of ['preview', 'save'])
      expect((await publisher.send(page, { ...typed, intent })).text).toContain('value="Typed {reference}"')
    const refused = await publisher.send(page, { ...typed, intent: 'save' })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('This layout no longer exists')
    expect(refused.text).toContain('Save again to add yours as a new layout')
    expect(refused.text).toContain('name="was" value=""')
    expect((await publisher.send(page, { ...typed, was: '', intent: 'save' })).to).toBe(address)
    expect(await listText()).toContain('Acme Mail')
  })

  it('of a testimonial: keeps what was typed, and saves it as a new one', async () => {
    const texts = { quote: 'It saves us a day.', personName: 'Ann Lee', role: '', company: '', position: '1' }
    const { id } = await addTestimonial(ctx, texts)
    const page = `/testimonials?edit=${id}`
    expect((await superuser.open(page)).text).toContain(`name="id" value="${id}"`)
    await removeTestimonial(ctx, { id })

    const typed = { ...texts, quote: 'It saves us two days.' }
    const refused = await superuser.send(page, { ...typed, id: String(id) })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('This testimonial no longer exists')
    expect(refused.text).toContain('It saves us two days.')
    expect(refused.text).not.toContain('name="id"')
    expect((await superuser.send(page, typed)).to).toBe('/testimonials')
    expect((await superuser.open('/testimonials')).text).toContain('It saves us two days.')

    const removal = await superuser.send('/testimonials', { intent: 'remove', id: String(id) })
    expect(removal.status).toBe(409)
    expect(removal.text).toContain('Testimonial not removed')
  })

  it('of the draft of an offer: keeps what was typed and saves it as a new one; its other buttons report that it is gone', async () => {
    const validUntil = formatDay(addDays(dayOf(server.services.now(), 'Europe/London'), 30))
    const offer = { publicationId: shop.id, name: 'Autumn', validUntil, offerPercent: '20' }
    const { id } = await saveBlanketOffer(ctx, { ...offer, id: null })
    const page = `/renewals/offers?publication=${shop.id}&offer=${id}&edit=yes`
    expect((await publisher.open(page)).text).toContain(`name="id" value="${id}"`)
    await removeBlanketOffer(ctx, { id })

    const values = { ...offer, publicationId: String(shop.id), status: 'ended', id: String(id) }
    const typed = { ...values, name: 'Typed', country: 'FJ' }
    const refused = await publisher.send(page, { ...typed, intent: 'save' })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('This offer no longer exists')
    expect(refused.text).toContain('value="Typed"')
    expect(refused.text).toMatch(/value="FJ" selected/)
    expect(refused.text).toContain('name="id" value=""')
    for (const intent of ['send', 'remove', 'sample']) {
      const { status, text } = await publisher.send(page, { ...values, intent })
      expect({ intent, status }).toEqual({ intent, status: 409 })
      expect(text).toContain('This offer no longer exists')
    }
    expect((await publisher.send(page, { ...typed, id: '', intent: 'save' })).to).toMatch(/&offer=\d+$/)
  })
})

describe('duplicates that were merged in another tab', () => {
  it('are reported as gone above the list, not as a page that was not found', async () => {
    const twins = [await makeReader(server.services, shop.id), await makeReader(server.services, shop.id)]
    const merge = { intent: 'merge', ...Object.fromEntries(twins.map((id) => [`version.${id}`, '1'])) }
    const likely = `/managedata/likely/${shop.id}`
    expect((await publisher.send(likely, merge)).toast).toContain('2 records merged into one reader')
    for (const [page, values] of [
      [likely, merge],
      [`/managedata?publication=${shop.id}`, merge],
      [likely, { intent: 'apart', groupId: '999999' }],
    ] as const) {
      const again = await publisher.send(page, values)
      expect([page, again.status]).toEqual([page, 409])
      expect(again.text).toContain('no longer exists')
      expect(again.text).toContain('It was merged or removed in the meantime. The list is up to date now.')
    }
  })
})

describe('a mailing layout that was changed in another tab', () => {
  it('is not overwritten unseen; saving again replaces it', async () => {
    const address = `/mailinglayouts/${shop.id}`
    const stored = async () => (await listLayouts(ctx, { publicationId: shop.id })).find(({ name }) => name === 'Post')
    const fieldIn = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''
    const save = (layout: MailingLayout, version: string) =>
      publisher.send(`${address}?edit=Post`, {
        ...layoutValues('Post', false, layout),
        was: 'Post',
        version,
        intent: 'save',
      })
    await saveLayout(ctx, { publicationId: shop.id, name: 'Post', layout: { columns } })
    const opened = fieldIn((await publisher.open(`${address}?edit=Post`)).text, 'version')
    const theirs = { ...standardLayout, isTownUpper: true }
    const mine = { ...standardLayout, keyLine: 'Mine {reference}' }
    expect((await save(theirs, opened)).to).toBe(address)

    const refused = await save(mine, opened)
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('Somebody has changed this layout since you opened it')
    expect(refused.text).toContain('value="Mine {reference}"')
    expect((await stored())?.layout).toEqual(theirs)
    // The same layout from both is no conflict.
    expect((await save(theirs, opened)).to).toBe(address)
    const preview = await publisher.send(`${address}?edit=Post`, {
      ...layoutValues('Post', false, mine),
      was: 'Post',
      version: fieldIn(refused.text, 'version'),
      intent: 'preview',
    })
    expect(fieldIn(preview.text, 'version')).toBe(fieldIn(refused.text, 'version'))
    const current = fieldIn((await publisher.open(`${address}?edit=Post`)).text, 'version')
    expect((await save(mine, current)).to).toBe(address)
    expect((await stored())?.layout).toEqual(mine)
    await removeLayout(ctx, { publicationId: shop.id, name: 'Post' })
  })
})

/** The values of a form when it was opened, as it sends them back. */
async function openedIn(page: string, browser = publisher): Promise<Record<string, string>> {
  const { text } = await browser.open(page)
  const opened = (/name="opened" value="([^"]*)"/.exec(text)?.[1] ?? '').replaceAll('&quot;', '"')
  return { ...JSON.parse(opened), opened }
}

describe('a publication that was changed in another tab', () => {
  it('keeps what was changed there, also in the step that is saved', async () => {
    const address = `/editpublication/${shop.id}`
    const prices = await openedIn(`${address}/prices`)
    await editPublication(ctx, { id: shop.id, printPriceOneYear: '35' })
    const saved = await publisher.send(`${address}/prices`, { ...prices, printPriceSixMonth: '19.50', intent: 'next' })
    expect(saved.to).toBe(`${address}/questions`)
    const published = await publisher.send(`${address}/submit`, {
      ...(await openedIn(`${address}/submit`)),
      intent: 'publish',
    })
    expect(published.to).toBe('/publications')
    expect((await getPublicationFields(ctx, { id: shop.id })).fields).toMatchObject({
      printPriceOneYear: '35.00',
      printPriceSixMonth: '19.50',
    })
  })
})

describe('a promo code or a webhook that was changed in another tab', () => {
  it('keeps the fields that were changed there', async () => {
    const added = {
      publicationId: shop.id,
      name: 'Spring',
      code: 'SPRING',
      discountPercent: 10,
      uses: 5,
      applicableProducts: everyProduct,
    }
    const promo = await createPromo(ctx, added)
    const page = `/editpromo/${promo.id}`
    const form = await openedIn(page)
    const products = { ...everyProduct, bundle: {} }
    await updatePromo(ctx, { id: promo.id, ...added, discountPercent: 25, applicableProducts: products })
    const refused = await publisher.send(page, { ...form, name: '' })
    expect(refused.status).toBe(422)
    expect(refused.text.replaceAll('&quot;', '"')).toContain(`name="opened" value="${form.opened}"`)
    expect((await publisher.send(page, { ...form, name: 'Summer' })).to).toBe(`/promocodes/${shop.id}`)
    expect(await getPromo(ctx, { id: promo.id })).toMatchObject({ name: 'Summer', discountPercent: 25, uses: 5 })
    expect((await getPromo(ctx, { id: promo.id })).applicableProducts.bundle?.priceOneYear).toBeFalsy()
  })

  it('keeps the events that were ticked there', async () => {
    const actor = await actorOf(server.services, 'publisher', shop.publisherId)
    const owner = server.as(actor)
    const url = 'https://hooks.example.com/in'
    const { id } = await addWebhook(owner, { url, events: ['order.paid'] })
    const page = `/thirdparty/webhooks/${id}`
    const form = await openedIn(page)
    await changeWebhook(owner, { webhookId: id, url, events: ['order.paid', 'order.refunded'] })
    const saved = await publisher.send(page, { ...form, description: 'Accounts', intent: 'change' })
    expect(saved.to).toBe(page)
    expect(await getWebhook(owner, { webhookId: id })).toMatchObject({
      description: 'Accounts',
      events: ['order.paid', 'order.refunded'],
    })
  })
})

/** A form as a browser sends it: a line break in a textarea as two characters. */
function asPosted(form: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(form).map(([name, value]) => [name, value.replaceAll('\n', '\r\n')]))
}

describe('a record with long texts that was changed in another tab', () => {
  it('of the landing page: keeps the quote that was changed there', async () => {
    const texts = { quote: 'It saves us a day.', personName: 'Ann Lee', role: '', company: '', position: '1' }
    const { id } = await addTestimonial(ctx, texts)
    const page = `/testimonials?edit=${id}`
    const form = await openedIn(page, superuser)
    await updateTestimonial(ctx, { ...texts, id, quote: 'It saves us two days.' })
    const saved = await superuser.send(page, { ...asPosted(form), id: String(id), role: 'Editor' })
    expect(saved.to).toBe('/testimonials')
    expect((await listTestimonials(ctx, {})).find((testimonial) => testimonial.id === id)).toMatchObject({
      quote: 'It saves us two days.',
      role: 'Editor',
    })
  })

  it('of a renewal series: keeps the text that was changed there', async () => {
    const publicationId = shop.id
    const effort = { publicationId, dayOffset: -45, subject: 'Time to renew', body: 'Dear reader,\nplease renew.' }
    await setEffort(ctx, { ...effort, replaces: null })
    const page = `/renewals/series?publication=${publicationId}&effort=-45`
    const form = await openedIn(page)
    const body = 'Dear reader,\nplease renew today.'
    await setEffort(ctx, { ...effort, body, replaces: -45 })
    const ids = { publicationId: String(publicationId), replaces: '-45', intent: 'effort' }
    const saved = await publisher.send(page, { ...asPosted(form), ...ids, offerPercent: '10' })
    expect(saved.to).toBe(`/renewals/series?publication=${publicationId}`)
    const { efforts } = await getSeries(ctx, { publicationId })
    expect(efforts.find(({ dayOffset }) => dayOffset === -45)).toMatchObject({
      subject: 'Time to renew',
      body,
      offerPercent: 10,
    })
  })

  it('of the draft of an offer: keeps the discount and the text that were changed there', async () => {
    const validUntil = formatDay(addDays(dayOf(server.services.now(), 'Europe/London'), 30))
    const draft = {
      publicationId: shop.id,
      name: 'Spring',
      validUntil,
      offerPercent: '20',
      body: 'Dear reader,\nrenew.',
    }
    const { id } = await saveBlanketOffer(ctx, { ...draft, id: null })
    const page = `/renewals/offers?publication=${shop.id}&offer=${id}&edit=yes`
    const form = await openedIn(page)
    const body = 'Dear reader,\nrenew today.'
    await saveBlanketOffer(ctx, { ...draft, id, offerPercent: '25', body })
    const ids = { publicationId: String(shop.id), id: String(id), intent: 'save' }
    const saved = await publisher.send(page, { ...asPosted(form), ...ids, name: 'Easter' })
    expect(saved.to).toBe(`/renewals/offers?publication=${shop.id}&offer=${id}`)
    expect((await getBlanketOffer(ctx, { id })).offer).toMatchObject({ name: 'Easter', offerPercent: 25, body })
  })

  it('of a back issue: keeps the price and the description that were changed there, and compares the stock', async () => {
    await server.services.db.run(`UPDATE publications SET sells_back_issues = :yes WHERE id = :id`, {
      yes: true,
      id: shop.id,
    })
    const issue = { volume: 'Winter', description: 'The sea\nin winter', stock: '5', price: '4.00' }
    const { id } = await createBackIssue(ctx, { publicationId: shop.id, ...issue })
    const page = `/editBackIssue/${id}`
    const form = await openedIn(page)
    const description = 'The sea\nin December'
    await updateBackIssue(ctx, { ...issue, id, price: '5.00', description })
    const posted = { ...asPosted(form), stockBefore: '5', volume: 'December' }
    expect((await publisher.send(page, posted)).to).toBe('/backIssues')
    expect(await getBackIssue(ctx, { id })).toMatchObject({ volume: 'December', price: 500, description, stock: 5 })
    await updateBackIssue(ctx, { ...issue, id, stock: '4' })
    const refused = await publisher.send(page, { ...posted, stock: '9' })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('It is now 4 copies.')
  })
})

describe('settings that were changed in another tab', () => {
  it('of a user: keep the role and email that were changed there', async () => {
    const user = await makeUser(server.services, { userType: 'pubadmin', parentPublisherId: shop.publisherId })
    const page = `/edituser/${user.id}`
    // The form shows and sends only these.
    const { lastName = '', email = '', userType = '', opened = '' } = await openedIn(page)
    await updateUser(await owner(), { id: user.id, userType: 'mailer', email: 'post@house.example.test' })
    const typed = { firstName: 'Zoe', lastName, email, userType, opened, intent: 'update' }
    expect((await publisher.send(page, typed)).to).toBe('/users')
    expect(await Users.find(server.services, { id: user.id })).toMatchObject({
      firstName: 'Zoe',
      userType: 'mailer',
      email: 'post@house.example.test',
    })
  })

  it('of an account: keep the company and the direct debit that were changed there', async () => {
    const form = await openedIn('/account')
    const directDebitDets = { chargeableName: 'QUILL', serviceUserNumber: '123456', selectedDD: 'provider' }
    await updateAccount(await owner(), { companyName: 'Quill & Sons', directDebitDets })
    const typed = { ...form, country: 'GB', telephone: '01632 960114', intent: 'save' }
    expect((await publisher.send('/account', typed)).status).toBe(302)
    const { company, selling } = await getAccount(await owner(), {})
    expect(company).toMatchObject({ companyName: 'Quill & Sons', telephone: '01632 960114' })
    expect(selling).toMatchObject({ directDebitDets })
  })

  it('for VAT: keep the number that was changed there', async () => {
    const page = '/payments/vat/settings'
    const settings = { isRegistered: 'true', registeredFrom: '', bundlePrint: '70' }
    await setVatSettings(await owner(), { ...settings, vatNumber: 'GB111111111' })
    const form = await openedIn(page)
    await setVatSettings(await owner(), { ...settings, vatNumber: 'GB222222222' })
    expect((await publisher.send(page, { ...form, quarterMonth: '2', intent: 'settings' })).to).toBe(page)
    expect((await getVatSettings(await owner(), {})).settings).toMatchObject({
      vatNumber: 'GB222222222',
      quarterMonth: 2,
      bundlePrint: 7000,
    })
  })

  it('of the sender: keep the address that was changed there', async () => {
    const page = '/emailtemplates/sender'
    const form = await openedIn(page)
    await saveSender(await owner(), { senderName: '', address: 'post@quill.example.com', replyTo: '' })
    expect((await publisher.send(page, { ...form, replyTo: 'desk@example.com', intent: 'save' })).to).toBe(page)
    expect(await getSender(await owner(), {})).toMatchObject({
      address: 'post@quill.example.com',
      replyTo: 'desk@example.com',
    })
  })

  it('of refunds and renewals: keep what was changed there', async () => {
    const publicationId = String(shop.id)
    const policy = { publicationId, afterwards: 'months', allowsMore: 'true' }
    await setRefundPolicy(await owner(), { ...policy, wholeDays: '14' })
    await setRenewalSettings(await owner(), { publicationId, graceDays: '21', retryDays: '1, 3' })
    const refunds = `/payments/refunds?publication=${shop.id}`
    const renewals = `/renewals/settings?publication=${shop.id}`
    const [refundForm, renewalForm] = [await openedIn(refunds), await openedIn(renewals)]
    await setRefundPolicy(await owner(), { ...policy, wholeDays: '30' })
    await setRenewalSettings(await owner(), { publicationId, graceDays: '28', retryDays: '1, 3' })
    await publisher.send(refunds, { ...refundForm, publicationId, allowsMore: 'false' })
    await publisher.send(renewals, { ...renewalForm, publicationId, retryDays: '2', intent: 'set' })
    expect(await getRefundPolicy(await owner(), { publicationId })).toMatchObject({ wholeDays: 30, allowsMore: false })
    expect(await getRenewalSettings(await owner(), { publicationId })).toMatchObject({ graceDays: 28, retryDays: [2] })
  })

  it('of a transfer: are not overwritten unseen, and never merged; saving again replaces them', async () => {
    const settings = {
      name: 'From the CRM',
      host: 'sftp.example.com',
      login: 'mailing',
      password: '',
      runAt: '02:30',
      alertUsers: [shop.publisherId],
    }
    const added = { publicationId: shop.id, kind: 'import', ...settings, password: 'ours' }
    const { id: transferId } = await addTransfer(await owner(), added)
    const page = `/managedata/transfers/${shop.id}/${transferId}`
    const versionIn = (text: string) => /name="version" value="([^"]*)"/.exec(text)?.[1] ?? ''
    const opened = versionIn((await publisher.open(page)).text)
    const stored = async () => getTransfer(await owner(), { transferId })
    await changeTransfer(await owner(), { transferId, ...settings, host: 'theirs.example.com', password: 'theirs' })

    const { alertUsers: _, ...fields } = settings
    const typed = { ...fields, [`alert-${shop.publisherId}`]: 'true', name: 'Renamed', intent: 'change' }
    const refused = await publisher.send(page, { ...typed, version: opened })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('Somebody has changed this transfer since you opened it')
    expect(refused.text).toContain('value="Renamed"')
    expect(await stored()).toMatchObject({ host: 'theirs.example.com', name: 'From the CRM' })
    // The stored password is the other server's.
    const again = { ...typed, version: versionIn(refused.text) }
    expect((await publisher.send(page, again)).text).toContain('Enter a password, or a private key below')
    expect((await publisher.send(page, { ...again, password: 'ours' })).to).toBe(page)
    expect(await stored()).toMatchObject({ host: 'sftp.example.com', name: 'Renamed' })
  })
})

describe('a form whose record somebody else saves between its reading and its writing', () => {
  interface OpenForm {
    page: string
    browser?: Browser
    /** The fields that the user changes, and what else the form sends. */
    typed: Record<string, string>
    /** Values of the opened form that its fields do not send. */
    unsent?: string[]
    theirs(): Promise<unknown>
    stored(): Promise<unknown>
    /** What both have changed. */
    expected: object
  }
  const validUntil = () => formatDay(addDays(dayOf(server.services.now(), 'Europe/London'), 30))
  const forms: Record<string, () => Promise<OpenForm>> = {
    'a promo code': () => openPromo('AUTUMN'),
    async 'a webhook'() {
      const ownerCtx = await owner()
      const url = 'https://hooks.example.com/in'
      const { id: webhookId } = await addWebhook(ownerCtx, { url, events: ['order.paid'] })
      return {
        page: `/thirdparty/webhooks/${webhookId}`,
        typed: { description: 'Accounts', intent: 'change' },
        theirs: () => changeWebhook(ownerCtx, { webhookId, url, events: ['order.refunded'] }),
        stored: () => getWebhook(ownerCtx, { webhookId }),
        expected: { description: 'Accounts', events: ['order.refunded'] },
      }
    },
    async 'a testimonial'() {
      const texts = { quote: 'It saves us a day.', personName: 'Ann Lee', role: '', company: '', position: '1' }
      const { id } = await addTestimonial(ctx, texts)
      return {
        page: `/testimonials?edit=${id}`,
        browser: superuser,
        typed: { id: String(id), role: 'Editor' },
        theirs: () => updateTestimonial(ctx, { ...texts, id, quote: 'It saves us two days.' }),
        stored: async () => (await listTestimonials(ctx, {})).find((testimonial) => testimonial.id === id),
        expected: { role: 'Editor', quote: 'It saves us two days.' },
      }
    },
    async 'an effort of a renewal series'() {
      const publicationId = shop.id
      const effort = { publicationId, dayOffset: -20, subject: 'Time to renew', body: 'Please renew.' }
      await setEffort(ctx, { ...effort, replaces: null })
      return {
        page: `/renewals/series?publication=${publicationId}&effort=-20`,
        typed: { publicationId: String(publicationId), replaces: '-20', intent: 'effort', offerPercent: '10' },
        theirs: () => setEffort(ctx, { ...effort, body: 'Please renew today.', replaces: -20 }),
        stored: async () => (await getSeries(ctx, { publicationId })).efforts.find((one) => one.dayOffset === -20),
        expected: { offerPercent: 10, body: 'Please renew today.' },
      }
    },
    async 'the draft of an offer'() {
      const draft = { publicationId: shop.id, name: 'Summer', validUntil: validUntil(), offerPercent: '20' }
      const { id } = await saveBlanketOffer(ctx, { ...draft, id: null })
      return {
        page: `/renewals/offers?publication=${shop.id}&offer=${id}&edit=yes`,
        typed: { publicationId: String(shop.id), id: String(id), intent: 'save', name: 'Easter' },
        theirs: () => saveBlanketOffer(ctx, { ...draft, id, offerPercent: '25' }),
        stored: async () => (await getBlanketOffer(ctx, { id })).offer,
        expected: { name: 'Easter', offerPercent: 25 },
      }
    },
    async 'a back issue'() {
      const issue = { volume: 'Autumn', description: 'The sea', stock: '5', price: '4.00' }
      const { id } = await createBackIssue(ctx, { publicationId: shop.id, ...issue })
      return {
        page: `/editBackIssue/${id}`,
        typed: { stockBefore: '5', volume: 'October' },
        theirs: () => updateBackIssue(ctx, { ...issue, id, price: '5.00' }),
        stored: () => getBackIssue(ctx, { id }),
        expected: { volume: 'October', price: 500, stock: 5 },
      }
    },
    async 'a user'() {
      const ownerCtx = await owner()
      const { id } = await makeUser(server.services, { userType: 'pubadmin', parentPublisherId: shop.publisherId })
      return {
        page: `/edituser/${id}`,
        typed: { firstName: 'Zoe', intent: 'update' },
        unsent: ['companyName', 'numberOfPublications'],
        theirs: () => updateUser(ownerCtx, { id, userType: 'mailer' }),
        stored: () => Users.find(server.services, { id }),
        expected: { firstName: 'Zoe', userType: 'mailer' },
      }
    },
    async 'an account'() {
      const ownerCtx = await owner()
      return {
        page: '/account',
        typed: { country: 'GB', telephone: '01632 960115', intent: 'save' },
        theirs: () => updateAccount(ownerCtx, { companyName: 'Quill & Daughters' }),
        stored: async () => (await getAccount(ownerCtx, {})).company,
        expected: { telephone: '01632 960115', companyName: 'Quill & Daughters' },
      }
    },
    async 'settings for VAT'() {
      const ownerCtx = await owner()
      const settings = { isRegistered: 'true', registeredFrom: '', bundlePrint: '70', quarterMonth: '1' }
      await setVatSettings(ownerCtx, { ...settings, vatNumber: 'GB333333333' })
      return {
        page: '/payments/vat/settings',
        typed: { quarterMonth: '3', intent: 'settings' },
        theirs: () => setVatSettings(ownerCtx, { ...settings, vatNumber: 'GB444444444' }),
        stored: async () => (await getVatSettings(ownerCtx, {})).settings,
        expected: { quarterMonth: 3, vatNumber: 'GB444444444' },
      }
    },
    async 'the sender'() {
      const ownerCtx = await owner()
      const { address } = await getSender(ownerCtx, {})
      return {
        page: '/emailtemplates/sender',
        typed: { replyTo: 'office@example.com', intent: 'save' },
        theirs: () => saveSender(ownerCtx, { senderName: 'Quill', address, replyTo: '' }),
        stored: () => getSender(ownerCtx, {}),
        expected: { replyTo: 'office@example.com', senderName: 'Quill' },
      }
    },
    async 'a refund policy'() {
      const publicationId = String(shop.id)
      const policy = { publicationId, afterwards: 'months' }
      await setRefundPolicy(ctx, { ...policy, wholeDays: '10', allowsMore: 'true' })
      return {
        page: `/payments/refunds?publication=${publicationId}`,
        typed: { publicationId, allowsMore: 'false' },
        theirs: () => setRefundPolicy(ctx, { ...policy, wholeDays: '20', allowsMore: 'true' }),
        stored: () => getRefundPolicy(ctx, { publicationId }),
        expected: { allowsMore: false, wholeDays: 20 },
      }
    },
    async 'settings for renewals'() {
      const publicationId = String(shop.id)
      await setRenewalSettings(ctx, { publicationId, graceDays: '20', retryDays: '1, 3' })
      return {
        page: `/renewals/settings?publication=${publicationId}`,
        typed: { publicationId, retryDays: '4', intent: 'set' },
        theirs: () => setRenewalSettings(ctx, { publicationId, graceDays: '25', retryDays: '1, 3' }),
        stored: () => getRenewalSettings(ctx, { publicationId }),
        expected: { retryDays: [4], graceDays: 25 },
      }
    },
  }

  async function openPromo(code: string): Promise<OpenForm> {
    const added = { publicationId: shop.id, name: code, code, discountPercent: 10, applicableProducts: everyProduct }
    const { id } = await createPromo(ctx, added)
    return {
      page: `/editpromo/${id}`,
      typed: { name: 'Winter' },
      theirs: () => updatePromo(ctx, { ...added, id, discountPercent: 25 }),
      stored: () => getPromo(ctx, { id }),
      expected: { name: 'Winter', discountPercent: 25 },
    }
  }

  it.each(Object.keys(forms))('of %s is merged again', async (name) => {
    const form = await (forms[name] as (typeof forms)[string])()
    const { page, typed, unsent = [], browser = publisher } = form
    const opened = Object.entries(await openedIn(page, browser)).filter(([field]) => !unsent.includes(field))
    let isSaved = false
    beforeNextTransaction(server.services, async () => {
      await form.theirs()
      isSaved = true
    })
    const saved = await browser.send(page, { ...Object.fromEntries(opened), ...typed })
    expect([saved.status, isSaved]).toEqual([302, true])
    expect(await form.stored()).toMatchObject(form.expected)
  })

  it('is refused with what was typed if that happens twice, and can be saved again', async () => {
    const { page, typed, stored, expected } = await openPromo('WINTER')
    const form = await openedIn(page)
    const { id } = (await stored()) as { id: number }
    const saveTheirs = (discountPercent: number) => () =>
      server.services.db.run('UPDATE promo_codes SET discount_percent = :discountPercent WHERE id = :id', {
        id,
        discountPercent,
      })
    beforeNextTransaction(server.services, async () => {
      await saveTheirs(20)()
      beforeNextTransaction(server.services, saveTheirs(25))
    })
    const refused = await publisher.send(page, { ...form, ...typed })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('Not saved: somebody else saved a change at the same moment')
    expect(refused.text).toContain('value="Winter"')
    expect((await publisher.send(page, { ...form, ...typed })).status).toBe(302)
    expect(await stored()).toMatchObject(expected)
  })
})

describe('the standard text of an email', () => {
  it('does not replace a text that was changed in another tab unseen', async () => {
    const address = `/emailtemplates/${shop.id}/gift-notice`
    const mail = { publicationId: shop.id, mail: 'gift-notice', language: '', subject: '' }
    const versionIn = (text: string) => /name="version" value="([^"]*)"/.exec(text)?.[1] ?? ''
    const isStored = async (body: string) => (await publisher.open(address)).text.includes(`>${body}</textarea>`)
    await saveMailText(ctx, { ...mail, body: 'Before' })
    const opened = await publisher.open(address)
    expect(opened.text.match(/name="version"/g)).toHaveLength(2)
    await server.services.db.run(`UPDATE mail_texts SET body = 'Theirs', updated_at = '2020-01-01T00:00:00.000Z'`)

    const values = { intent: 'reset', language: '' }
    const refused = await publisher.send(address, { ...values, version: versionIn(opened.text) })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('Standard text not restored')
    expect(refused.text).toContain('Somebody has changed this text since you opened it')
    expect(await isStored('Theirs')).toBe(true)
    // A second press is about the text that the page shows now.
    const restored = await publisher.send(address, { ...values, version: versionIn(refused.text) })
    expect(restored.toast).toContain('reset to the standard text')
    expect(await isStored('Theirs')).toBe(false)
  })
})

describe('readers selected on all pages of a list', () => {
  it('are not removed together with one who came into the list meanwhile', async () => {
    const { services } = server
    const address = `/managedata?publication=${shop.id}&view=all&q=Wave`
    const addReader = () => makeReader(services, shop.id, { lastName: 'Wave' })
    const readers = [await addReader(), await addReader()]
    const values = { intent: 'remove-chosen', chosen: '', list: 'all', q: 'Wave' }
    readers.push(await addReader())
    const refused = await publisher.send(address, { ...values, count: '2' })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('The list has 3 readers now, not 2')
    // Without the number that the user has confirmed, nothing is removed either.
    expect((await publisher.send(address, values)).status).toBe(400)
    for (const id of readers) expect(await readerRow(services, id)).toMatchObject({ last_name: 'Wave' })
    expect((await publisher.send(address, { ...values, count: '3' })).toast).toContain('3 readers removed')
  })
})

describe('a button that the page no longer has, since somebody else was faster', () => {
  it('deletes no offer that was sent', async () => {
    const validUntil = formatDay(addDays(dayOf(server.services.now(), 'Europe/London'), 30))
    const offer = { publicationId: shop.id, name: 'Winter', validUntil, offerPercent: '20' }
    const { id } = await saveBlanketOffer(ctx, { ...offer, id: null })
    await server.services.db.run(`UPDATE accounts SET automated_renewal_emails = :isOn WHERE user_id = :id`, {
      isOn: true,
      id: shop.publisherId,
    })
    await sendBlanketOffer(ctx, { id, isWaiting: true })
    const page = `/renewals/offers?publication=${shop.id}&offer=${id}`
    const refused = await publisher.send(page, { intent: 'remove', id: String(id), publicationId: String(shop.id) })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('Draft not deleted')
    expect(refused.text).toContain('This offer has been sent and can no longer be changed')
  })

  it('removes no publication that was removed', async () => {
    const { id } = await makeShop(server.services, { publisherId: shop.publisherId })
    await removePublication(ctx, { id })
    for (const intent of ['remove', 'remove-example']) {
      const { status, to } = await publisher.send('/publications', { intent, id: String(id) })
      expect({ intent, status, to }).toEqual({ intent, status: 302, to: '/publications' })
    }
  })

  it('undoes no opening balances that were undone', async () => {
    const refused = await publisher.send('/payments/opening', { intent: 'undo', publication: String(shop.id) })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('Opening balances not undone')
    expect(refused.text).toContain('has no opening balances to undo')
  })

  it('sends no card link for an automatic renewal that was stopped', async () => {
    const visitorContext = server.as(visitor)
    const { orderId } = await placeOrder(visitorContext, orderForm(shop, { plan: '1PR25.00' }))
    const [row] = await server.services.db.query<{ id: number; readerId: number }>(
      `SELECT a.id, a.reader_id AS "readerId" FROM payment_agreements a JOIN orders o ON o.buyer_id = a.buyer_id
       WHERE o.id = :orderId`,
      { orderId },
    )
    await stopRenewal(ctx, { agreementId: row?.id })
    const values = { intent: 'card-link', id: String(row?.id), key: 'a-key-of-this-form' }
    for (const page of [`/editreader/${row?.readerId}`, '/renewals?show=failed']) {
      const refused = await publisher.send(page, values)
      expect({ page, status: refused.status }).toEqual({ page, status: 409 })
      expect(refused.text).toContain('The link was not sent')
      expect(refused.text).toContain('This automatic renewal is off')
    }
  })

  it('matches no line of a report that was matched', async () => {
    const { services } = server
    const { publisherId } = shop
    const reportId = await ProviderReports.insert(services, {
      publisherId,
      provider: 'stripe',
      fileName: 'report.csv',
      storedFile: null,
      bytes: 1,
      rejects: [],
      firstOn: null,
      lastOn: null,
    })
    const day = dayOf(services.now(), 'Europe/London')
    const lineId = await ProviderLines.insert(services, {
      publisherId,
      reportId,
      provider: 'stripe',
      lineKey: 'txn_1',
      kind: 'charge',
      category: 'charge',
      occurredOn: day,
      occurredAt: services.now(),
      currency: 'GBP',
      gross: 100,
      fee: 0,
      net: 100,
      balance: null,
      customerAmount: null,
      customerCurrency: null,
      payoutReference: null,
      payoutOn: null,
      paymentReference: null,
      chargeReference: null,
      sourceReference: null,
      orderNumber: null,
      postedOn: day,
      explainedOn: day,
      state: 'matched',
      orderId: null,
      matchedTo: null,
    })
    const values = { intent: 'match', lineId: String(lineId), orderNumber: 'OD-7KQ2MXA' }
    const refused = await publisher.send(`/payments/reconcile?line=${lineId}`, values)
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('Not matched')
    expect(refused.text).toContain('This line no longer needs to be matched')
    expect(refused.text).toContain('Somebody has matched it in the meantime')
  })
})

describe('a paid sign-up that was settled in another tab', () => {
  const asVisitor = () => server.as(visitor)

  async function paidSignup() {
    const email = newEmail()
    const start = { planKey: 'standard-3', email, name: 'Tom Quill', priceType: 'VAT' }
    const { paymentIntentId: payment, reference } = await startSignup(asVisitor(), start)
    await settlePaidSignup(asVisitor(), { payment, invoice: null, subscription: null, customer: null })
    const [row] = await server.services.db.query<{ id: number }>(`SELECT id FROM signups WHERE email_key = :email`, {
      email,
    })
    return { id: Number(row?.id), email, payment, reference }
  }

  it('reports what was not done, with the note that was typed', async () => {
    const { id } = await paidSignup()
    expect((await superuser.open(`/signups/${id}`)).text).toContain('Mark as settled')
    await refundSignup(ctx, { id })
    const values = { firstName: 'Tom', lastName: 'Quill', email: newEmail(), companyName: 'Quill', country: 'GB' }
    const registration = await superuser.send(`/signups/${id}`, { ...values, intent: 'register' })
    expect(registration.status).toBe(409)
    expect(registration.text).toContain('Not registered')
    const closing = await superuser.send(`/signups/${id}`, { intent: 'close', note: 'paid back by cheque' })
    expect(closing.status).toBe(409)
    expect(closing.text).toContain('Not marked as settled')
    expect(closing.text).toContain('This sign-up was settled in the meantime: nothing was changed')
    expect(closing.text).toContain('note entered: paid back by cheque')
  })

  it('is not found if its publisher has registered it: its buttons lead back to the list, which says so', async () => {
    const { id, email, payment, reference } = await paidSignup()
    const registration = registrationOf(email)
    await finishSignup(asVisitor(), { paymentIntentId: payment, reference, registration })
    expect((await superuser.open(`/signups/${id}`)).status).toBe(404)
    for (const intent of ['refund', 'close']) {
      const { to, toast } = await superuser.send(`/signups/${id}`, { intent, note: 'by cheque' })
      expect({ intent, to }).toEqual({ intent, to: '/signups' })
      expect(toast).toContain('This sign-up was registered in the meantime. (Note entered: by cheque)')
    }
  })
})
