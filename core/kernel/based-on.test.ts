import { beforeAll, describe, expect, it } from 'vitest'
import { getAccount, savedFields } from '#core/accounts/get-account.query.ts'
import { updateAccount } from '#core/accounts/update-account.ts'
import { getBackIssue } from '#core/back-issues/get-back-issue.query.ts'
import { updateBackIssue } from '#core/back-issues/update-back-issue.ts'
import type { AppContext } from '#core/context.ts'
import { getRefundPolicy, setRefundPolicy } from '#core/orders/refund-policy.ts'
import { getPromo } from '#core/promos/get-promo.query.ts'
import { updatePromo } from '#core/promos/update-promo.ts'
import { editPublication } from '#core/publications/edit-publication.ts'
import { getPublicationFields } from '#core/publications/get-publication-fields.query.ts'
import { getRenewalSettings, setRenewalSettings } from '#core/renewals/renewal-settings.ts'
import { getSender } from '#core/senders/get-sender.query.ts'
import { saveSender } from '#core/senders/save-sender.ts'
import { getBlanketOffer, saveBlanketOffer } from '#core/series/blanket-offers.ts'
import { setEffort } from '#core/series/change-effort.ts'
import { getSeries } from '#core/series/series-settings.ts'
import { listTestimonials } from '#core/testimonials/list-testimonials.query.ts'
import { addTestimonial, updateTestimonial } from '#core/testimonials/save-testimonial.ts'
import { getUser } from '#core/users/get-user.query.ts'
import { updateUser } from '#core/users/update-user.ts'
import { getVatSettings, setVatSettings } from '#core/vat/vat-settings.ts'
import { addWebhook, changeWebhook } from '#core/webhooks/change-webhooks.ts'
import { getWebhook } from '#core/webhooks/list-webhooks.query.ts'
import { actorOf, makeBackIssue, makePromo, makeUser, operator } from '#tests/support/factories.ts'
import { makeShop } from '#tests/support/shop.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { whileLocked } from '#tests/support/while-locked.ts'

const services = await openTestServices()
let ctx: AppContext
let shop: Awaited<ReturnType<typeof makeShop>>
beforeAll(async () => {
  ctx = services.as(operator)
  shop = await makeShop(services)
})
const owner = async () => services.as(await actorOf(services, 'publisher', shop.publisherId))

interface Save {
  /** What somebody else writes in one transaction after the record was read; `first` locks what the save has to wait for. */
  theirs: { first: string; second?: string }
  /** A save that is based on what was read before. */
  mine(): Promise<unknown>
  /** The value that somebody else has written. */
  stored(): Promise<unknown>
}

/** The result of a save while somebody else saves: after they have written, and on PostgreSQL before they have committed. */
async function saveMeanwhile({ theirs: { first, second }, mine }: Omit<Save, 'stored'>): Promise<unknown> {
  if (services.db.dialect === 'postgres')
    return (await whileLocked(services, { first, second: second ?? 'SELECT 1' }, mine))[1]
  await services.db.run(first)
  if (second) await services.db.run(second)
  return mine().catch(String)
}

const saves: Record<string, () => Promise<Save>> = {
  async 'a promo code'() {
    const id = await makePromo(services, shop.id, 'SPRING')
    const promo = await getPromo(ctx, { id })
    return {
      theirs: { first: `UPDATE promo_codes SET name = 'Theirs' WHERE id = ${id}` },
      mine: () => updatePromo(ctx, { id, name: 'SPRING', code: 'SPRING', discountPercent: 10, basedOn: promo }),
      stored: async () => (await getPromo(ctx, { id })).name,
    }
  },
  async 'a webhook'() {
    const values = { url: 'https://hooks.example.com/in', description: '', events: ['order.paid'] }
    const { id } = await addWebhook(await owner(), values)
    const webhook = await getWebhook(await owner(), { webhookId: id })
    const mine = await owner()
    return {
      theirs: { first: `UPDATE webhook_endpoints SET description = 'Theirs' WHERE id = ${id}` },
      mine: () => changeWebhook(mine, { webhookId: id, ...values, events: ['order.refunded'], basedOn: webhook }),
      stored: async () => (await getWebhook(mine, { webhookId: id })).description,
    }
  },
  async 'a testimonial'() {
    const texts = { quote: 'It saves us a day.', personName: 'Ann Lee', role: '', company: '', position: '1' }
    const { id } = await addTestimonial(ctx, texts)
    const read = async () => (await listTestimonials(ctx, {})).find((testimonial) => testimonial.id === id)
    const basedOn = await read()
    return {
      theirs: { first: `UPDATE testimonials SET company = 'Theirs' WHERE id = ${id}` },
      mine: () => updateTestimonial(ctx, { ...texts, id, role: 'Editor', basedOn }),
      stored: async () => (await read())?.company,
    }
  },
  async 'an effort of a renewal series'() {
    const effort = { publicationId: shop.id, dayOffset: -45, subject: 'Time to renew', body: 'Please renew.' }
    await setEffort(ctx, { ...effort, replaces: null })
    const read = async () => (await getSeries(ctx, effort)).efforts.find(({ dayOffset }) => dayOffset === -45)
    const basedOn = await read()
    return {
      theirs: {
        first: `UPDATE renewal_series SET has_own_efforts = has_own_efforts WHERE publication_id = ${shop.id}`,
        second: `UPDATE renewal_efforts SET body = 'Theirs' WHERE publication_id = ${shop.id} AND day_offset = -45`,
      },
      mine: () => setEffort(ctx, { ...effort, offerPercent: '10', replaces: -45, basedOn }),
      stored: async () => (await read())?.body,
    }
  },
  async 'the draft of an offer'() {
    const offer = { publicationId: shop.id, name: 'Spring', validUntil: '2026-06-30', offerPercent: '20' }
    services.clock.setDay('2026-06-01')
    const { id } = await saveBlanketOffer(ctx, { ...offer, id: null })
    const { offer: basedOn } = await getBlanketOffer(ctx, { id })
    return {
      theirs: { first: `UPDATE blanket_offers SET subject = 'Theirs' WHERE id = ${id}` },
      mine: () => saveBlanketOffer(ctx, { ...offer, id, offerPercent: '25', basedOn }),
      stored: async () => (await getBlanketOffer(ctx, { id })).offer.subject,
    }
  },
  async 'a back issue'() {
    const { id, volume } = await makeBackIssue(services, shop.id)
    const basedOn = await getBackIssue(ctx, { id })
    return {
      theirs: { first: `UPDATE back_issues SET description = 'Theirs' WHERE id = ${id}` },
      mine: () => updateBackIssue(ctx, { id, volume, price: '7.00', basedOn }),
      stored: async () => (await getBackIssue(ctx, { id })).description,
    }
  },
  async 'a user'() {
    const { id } = await makeUser(services, { userType: 'pubadmin' })
    const basedOn = await getUser(ctx, { id })
    return {
      theirs: { first: `UPDATE users SET last_name = 'Theirs' WHERE id = ${id}` },
      mine: () => updateUser(ctx, { id, firstName: 'Zoe', lastName: basedOn.lastName, basedOn }),
      stored: async () => (await getUser(ctx, { id })).lastName,
    }
  },
  async 'the company of a user'() {
    const { id } = await makeUser(services, { userType: 'reseller' })
    const basedOn = await getUser(ctx, { id })
    return {
      theirs: { first: `UPDATE accounts SET company_name = 'Theirs' WHERE user_id = ${id}` },
      mine: () => updateUser(ctx, { id, firstName: 'Zoe', companyName: basedOn.companyName, basedOn }),
      stored: async () => (await getUser(ctx, { id })).companyName,
    }
  },
  async "a user's own name"() {
    const mine = await owner()
    const basedOn = savedFields(await getAccount(mine, {}))
    return {
      theirs: { first: `UPDATE users SET last_name = 'Theirs' WHERE id = ${shop.publisherId}` },
      mine: () => updateAccount(mine, { firstName: 'Zoe', lastName: 'Before', basedOn }),
      stored: async () => (await getAccount(mine, {})).lastName,
    }
  },
  async "a user's own company"() {
    const mine = await owner()
    const basedOn = savedFields(await getAccount(mine, {}))
    return {
      theirs: { first: `UPDATE accounts SET full_name = 'Theirs' WHERE user_id = ${shop.publisherId}` },
      mine: () => updateAccount(mine, { telephone: '01632 960114', fullName: 'Mine', basedOn }),
      stored: async () => (await getAccount(mine, {})).company?.fullName,
    }
  },
  async 'the sender'() {
    const mine = await owner()
    await saveSender(mine, { senderName: '', address: '', replyTo: '' })
    const basedOn = await getSender(mine, {})
    return {
      theirs: { first: `UPDATE publisher_senders SET sender_name = 'Theirs' WHERE publisher_id = ${shop.publisherId}` },
      mine: () => saveSender(mine, { senderName: '', address: '', replyTo: 'desk@example.com', basedOn }),
      stored: async () => (await getSender(mine, {})).senderName,
    }
  },
  'settings for VAT that were not set before': () => vatSettings(null),
  'settings for VAT': () => vatSettings({ isRegistered: true, vatNumber: 'GB111111111' }),
  'a refund policy that was not set before': () => refundPolicy(null),
  'a refund policy': () => refundPolicy({ wholeDays: '14', afterwards: 'months', allowsMore: 'true' }),
  'settings for renewals that were not set before': () => renewalSettings(null),
  'settings for renewals': () => renewalSettings({ graceDays: '21', retryDays: '1, 3' }),
}

async function vatSettings(before: object | null): Promise<Save> {
  const { publisherId } = await makeShop(services)
  const mine = services.as(await actorOf(services, 'publisher', publisherId))
  if (before) await setVatSettings(mine, { registeredFrom: '', ...before })
  const basedOn = (await getVatSettings(mine, {})).settings ?? {}
  const now = services.now().toISOString()
  const first = before
    ? `UPDATE vat_settings SET vat_number = 'Theirs' WHERE publisher_id = ${publisherId}`
    : `INSERT INTO vat_settings (publisher_id, is_registered, vat_number, created_at, updated_at)
       VALUES (${publisherId}, true, 'Theirs', '${now}', '${now}')`
  return {
    theirs: { first },
    mine: () => setVatSettings(mine, { isRegistered: false, registeredFrom: '', vatNumber: '', basedOn }),
    stored: async () => (await getVatSettings(mine, {})).settings?.vatNumber,
  }
}

async function refundPolicy(before: object | null): Promise<Save> {
  const { id: publicationId } = await makeShop(services)
  if (before) await setRefundPolicy(ctx, { publicationId, ...before })
  const basedOn = await getRefundPolicy(ctx, { publicationId })
  const now = services.now().toISOString()
  const first = before
    ? `UPDATE refund_policies SET afterwards = 'none' WHERE publication_id = ${publicationId}`
    : `INSERT INTO refund_policies (publication_id, whole_days, afterwards, allows_more, created_at, updated_at)
       VALUES (${publicationId}, 14, 'none', true, '${now}', '${now}')`
  return {
    theirs: { first },
    mine: () =>
      setRefundPolicy(ctx, { publicationId, wholeDays: '30', afterwards: 'months', allowsMore: 'true', basedOn }),
    stored: async () => ((await getRefundPolicy(ctx, { publicationId })).afterwards === 'none' ? 'Theirs' : 'Mine'),
  }
}

async function renewalSettings(before: object | null): Promise<Save> {
  const { id: publicationId } = await makeShop(services)
  if (before) await setRenewalSettings(ctx, { publicationId, ...before })
  const basedOn = await getRenewalSettings(ctx, { publicationId })
  const now = services.now().toISOString()
  const first = before
    ? `UPDATE renewal_settings SET grace_days = 28 WHERE publication_id = ${publicationId}`
    : `INSERT INTO renewal_settings (publication_id, grace_days, retry_days, created_at, updated_at)
       VALUES (${publicationId}, 28, '[1]', '${now}', '${now}')`
  return {
    theirs: { first },
    mine: () =>
      setRenewalSettings(ctx, { publicationId, graceDays: String(basedOn.graceDays), retryDays: '2', basedOn }),
    stored: async () => ((await getRenewalSettings(ctx, { publicationId })).graceDays === 28 ? 'Theirs' : 'Mine'),
  }
}

describe('a save that is based on an older state', () => {
  it.each(Object.keys(saves))('of %s does not overwrite what somebody else saves meanwhile', async (name) => {
    const save = await (saves[name] as (typeof saves)[string])()
    expect(await saveMeanwhile(save)).toMatch(/^AppError: Not saved: somebody else saved a change/)
    expect(await save.stored()).toBe('Theirs')
  })
})

it('changes of different fields of a publication are both kept', async () => {
  const { id } = shop
  const theirs = { first: `UPDATE publications SET email_end = 'Theirs' WHERE id = ${id}` }
  const mine = () => editPublication(ctx, { id, emailText: 'Mine' })
  expect(await saveMeanwhile({ theirs, mine })).toMatchObject({ id })
  expect((await getPublicationFields(ctx, { id })).fields).toMatchObject({ emailText: 'Mine', emailEnd: 'Theirs' })
})
