import { beforeAll, describe, expect, it } from 'vitest'
import { actorOf, makePublication, operator } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { getPublication } from './get-publication.query.ts'
import { listHandles } from './list-handles.query.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

describe('get publication', () => {
  it('shows prices in minor units with the currency of their band, and the last import and mailing file', async () => {
    const { id } = await makePublication(services, {
      urlKey: 'Gardener',
      publicationName: 'The Gardener',
      printIsFree: true,
    })
    const insertPrice = `INSERT INTO publication_prices (publication_id, product, term_months, band, is_recurring, amount) VALUES (:id, :product, 12, :band, :isRecurring, :amount)`
    await services.db.run(insertPrice, { id, product: 'digital', band: 'US', isRecurring: true, amount: 3199 })
    await services.db.run(insertPrice, { id, product: 'digital', band: 'UK', isRecurring: false, amount: 2999 })
    await services.db.run(
      `INSERT INTO mailing_files (publication_id, mailing_on, included, excluded, bytes, sha256, actor_kind, made_at)
       VALUES (:id, '2026-12-01', 812, '{}', 1, 'x', 'operator', :now)`,
      { id, now: services.now() },
    )
    const view = await getPublication(services.as(operator), { urlKey: 'gardener' })
    expect(view).toMatchObject({
      urlKey: 'Gardener',
      publicationName: 'The Gardener',
      freeProducts: ['print'],
      readers: { all: 0, active: 0, deactivated: 0 },
      lastImport: null,
      lastMailingFile: { on: '2026-12-01', included: 812, madeAt: services.now().toISOString() },
    })
    expect(view.companyName).not.toBe('')
    expect(view.prices).toEqual([
      { product: 'digital', termMonths: 12, band: 'UK', isRecurring: false, amount: 2999, currency: 'GBP' },
      { product: 'digital', termMonths: 12, band: 'US', isRecurring: true, amount: 3199, currency: 'USD' },
    ])
  })

  it('is not found for another publisher, nor among its handles', async () => {
    await makePublication(services, { urlKey: 'mine' })
    const stranger = services.as(await actorOf(services, 'publisher'))
    await expect(getPublication(stranger, { urlKey: 'mine' })).rejects.toMatchObject({ kind: 'notFound' })
    expect(await listHandles(stranger, {})).toEqual([])
    expect((await listHandles(services.as(operator), {})).map(({ urlKey }) => urlKey)).toContain('mine')
  })

  it('may not be read by a mailer, who may list the handles of the parent publisher', async () => {
    const { publisherId } = await makePublication(services, { urlKey: 'posted' })
    const mailer = services.as(await actorOf(services, 'mailer', publisherId))
    await expect(getPublication(mailer, { urlKey: 'posted' })).rejects.toMatchObject({ kind: 'denied' })
    expect(await listHandles(mailer, {})).toEqual([
      { id: expect.any(Number), urlKey: 'posted', publicationName: expect.any(String) },
    ])
  })
})
