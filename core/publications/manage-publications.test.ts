import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '#core/access/actor.ts'
import { actorOf, makeUser, operator } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { visitor } from '../access/actor.ts'
import { getStorefront } from '../storefronts/get-storefront.query.ts'
import { checkHandle } from './check-handle.query.ts'
import { createPublication } from './create-publication.ts'
import { discardPublicationDraft } from './discard-publication-draft.ts'
import { editPublication } from './edit-publication.ts'
import { getPublicationDraft } from './get-publication-draft.query.ts'
import { getPublicationFields } from './get-publication-fields.query.ts'
import { getTitleQuota } from './get-title-quota.query.ts'
import { listPublications } from './list-publications.query.ts'
import { listRemovedPublications } from './list-removed-publications.query.ts'
import { publicationStepNames } from './publication.input.ts'
import { storedAnswers } from './publication-draft.ts'
import { publishPublicationDraft } from './publish-publication-draft.ts'
import { removePublication } from './remove-publication.ts'
import { restorePublication } from './restore-publication.ts'
import { savePublicationDraft } from './save-publication-draft.ts'
import { updatePublication } from './update-publication.ts'

let services: TestServices
let publisher: Actor
let publisherId: number
let handleCount = 0
beforeAll(async () => {
  services = await openTestServices()
})
beforeEach(async () => {
  publisherId = (await makeUser(services)).id
  publisher = await actorOf(services, 'publisher', publisherId)
  await setTitleQuota(2)
})

const setTitleQuota = (titles: number) =>
  services.db.run(`UPDATE accounts SET number_of_publications = :titles WHERE user_id = :publisherId`, {
    titles,
    publisherId,
  })

const fields = (more: object = {}): Record<string, unknown> => ({
  publicationName: 'The Gardener',
  issuesPerYear: '10',
  urlKey: `gardener-${++handleCount}`,
  color: '#0b7285',
  emailAddress: 'hello@gardener.example',
  orderEmailAddress: 'orders@gardener.example',
  webAddress: 'www.gardener.example',
  printPriceOneYear: '29.99',
  printPriceOneYearRecurring: '£25',
  priceUS: '3.50',
  bundleIsFree: 'on',
  questionA: 'Do you garden?',
  facebook: 'https://facebook.com/gardener',
  ...more,
})
const create = (more: object = {}) => createPublication(services.as(publisher), fields(more))

describe('a new publication', () => {
  it('is on sale at once, with its prices, its free product and its links', async () => {
    const { id, urlKey } = await create()
    const storefront = await getStorefront(services.as(visitor), { urlKey: urlKey.toUpperCase() })
    expect(storefront).toMatchObject({
      id,
      publicationName: 'The Gardener',
      webAddress: 'https://www.gardener.example',
      freeProducts: ['bundle'],
      theme: { color: '#0B7285' },
      questions: [{ key: 'A', text: 'Do you garden?' }],
      prices: [
        { product: 'print', termMonths: 12, band: 'UK', isRecurring: false, amount: 2999 },
        { product: 'print', termMonths: 12, band: 'UK', isRecurring: true, amount: 2500 },
        { product: 'digital', termMonths: 1, band: 'US', isRecurring: false, amount: 350 },
      ],
    })
  })

  it('reports all errors at once, with the specified wording', async () => {
    const wrong: Record<string, unknown> = {
      publicationName: '',
      issuesPerYear: 'monthly',
      urlKey: 'the gardener é',
      emailAddress: 'hello@',
      orderEmailAddress: '',
      ccEmail: 'x',
      webAddress: 'javascript:alert(1)',
      sampleEdition: 'not a place',
      color: 'green',
      printPriceOneYear: '29,99',
      priceUS: '1e3',
      printDigPriceEU: '-1',
      twitter: 'ftp://x.example',
    }
    await expect(createPublication(services.as(publisher), wrong)).rejects.toMatchObject({
      fields: {
        publicationName: 'Required',
        issuesPerYear: 'Must be a number',
        urlKey: 'Only alphanumeric characters, underscores and hyphens allowed',
        emailAddress: 'Invalid email address',
        orderEmailAddress: 'Required',
        ccEmail: 'Invalid email address',
        webAddress: 'Invalid Web address',
        sampleEdition: 'Invalid Web address',
        color: 'Must be a colour such as #12455C',
        printPriceOneYear: 'Must be an amount such as 29.99',
        priceUS: 'Must be an amount such as 29.99',
        printDigPriceEU: 'Must be an amount such as 29.99',
        twitter: 'Invalid Web address',
      },
    })
  })

  it('has a unique handle, regardless of case, counting removed titles and the product’s own addresses', async () => {
    const taken = 'That handle has already been taken. Please try another.'
    const { urlKey, id } = await create()
    const check = (handle: string) => checkHandle(services.as(publisher), { urlKey: handle })
    await expect(check('a-free-one')).resolves.toEqual({ isFree: true })
    for (const handle of [urlKey, urlKey.toUpperCase(), 'login', 'API', 'backIssues', 'resetprint'])
      await expect(check(handle), handle).rejects.toMatchObject({ kind: 'conflict', fields: { urlKey: taken } })
    await expect(check('two words')).rejects.toMatchObject({ kind: 'invalid' })
    const stranger = await actorOf(services, 'publisher')
    await expect(
      createPublication(services.as(stranger), fields({ urlKey: urlKey.toUpperCase() })),
    ).rejects.toMatchObject({
      fields: { urlKey: taken },
    })
    await expect(create({ urlKey: ` ${urlKey} `, publicationName: '' })).rejects.toMatchObject({
      fields: { publicationName: 'Required', urlKey: taken },
    })
    await expect(create({ urlKey: 'Slogin' })).rejects.toMatchObject({ fields: { urlKey: taken } })
    await removePublication(services.as(publisher), { id })
    await expect(check(urlKey)).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('needs room in the quota; of two tabs that add the last title one is refused', async () => {
    await create()
    const outcomes = await Promise.allSettled([create(), create()])
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
      {
        reason: { kind: 'conflict', message: 'Publication Quota Met', hint: expect.stringContaining('2 of 2 titles') },
      },
    ])
    expect(await listPublications(services.as(publisher), {})).toHaveLength(2)
  })

  it('is created for the parent by its administrator, and by nobody else', async () => {
    const pubadmin = await actorOf(services, 'pubadmin', publisherId)
    await createPublication(services.as(pubadmin), fields())
    expect(await listPublications(services.as(publisher), {})).toHaveLength(1)
    for (const type of ['admin', 'mailer', 'reseller', 'superuser'] as const) {
      const otherStaff = services.as(await actorOf(services, type))
      await expect(createPublication(otherStaff, fields())).rejects.toMatchObject({ kind: 'denied' })
    }
    await expect(createPublication(services.as(operator), fields())).rejects.toMatchObject({
      fields: { publisherId: 'Specify the publisher' },
    })
    await createPublication(services.as(operator), fields({ publisherId }))
    expect(await listPublications(services.as(publisher), {})).toHaveLength(2)
  })

  it('accepts no picture that its publisher did not upload', async () => {
    const insertImage = (name: string, owner: number) =>
      services.db.run(
        `INSERT INTO images (name, kind, publisher_id, width, height, bytes, created_at) VALUES (:name, 'cover', :owner, 1, 1, 1, :now)`,
        { name, owner, now: services.now() },
      )
    await insertImage('mine', publisherId)
    await insertImage('theirs', (await makeUser(services)).id)
    for (const coverImage of ['theirs', 'unknown', '../secret'])
      await expect(create({ coverImage })).rejects.toMatchObject({ fields: { coverImage: 'Upload the image first' } })
    await expect(create({ coverImage: 'mine', logoImage: '' })).resolves.toMatchObject({ id: expect.any(Number) })
  })
})

describe('an edit', () => {
  it('pre-fills the form, and saving it unchanged changes nothing', async () => {
    const { id } = await create()
    const before = await getPublicationFields(services.as(publisher), { id })
    expect(before.fields).toMatchObject({
      publicationName: 'The Gardener',
      printPriceOneYear: '29.99',
      printPriceOneYearRecurring: '25.00',
      printPrice: '',
      bundleIsFree: true,
      digitalIsFree: false,
    })
    await updatePublication(services.as(publisher), { ...before.fields, id })
    expect(await getPublicationFields(services.as(publisher), { id })).toEqual(before)
    const [entry] = await services.db.query<{ facts: unknown }>(
      `SELECT facts FROM audit_log WHERE action = 'update-publication' ORDER BY id DESC LIMIT 1`,
    )
    expect(JSON.parse(typeof entry?.facts === 'string' ? entry.facts : JSON.stringify(entry?.facts))).toEqual({
      fields: [],
    })
  })

  it('changes fields, prices and the back-issue switch, and lists them; the handle stays', async () => {
    const { id, urlKey } = await create()
    const { fields: shown } = await getPublicationFields(services.as(publisher), { id })
    const change = (more: object) => updatePublication(services.as(publisher), { ...shown, id, ...more })
    await expect(change({ urlKey: 'another' })).rejects.toMatchObject({ fields: { urlKey: expect.any(String) } })
    await change({
      publicationName: 'Gardening',
      printPriceOneYear: '',
      sellsBackIssues: 'on',
      urlKey: urlKey.toUpperCase(),
    })
    const storefront = await getStorefront(services.as(visitor), { urlKey })
    expect(storefront).toMatchObject({ urlKey, publicationName: 'Gardening', sellsBackIssues: true })
    expect(storefront.prices).toHaveLength(2)
    const [entry] = await services.db.query<{ facts: unknown }>(
      `SELECT facts FROM audit_log WHERE action = 'update-publication' ORDER BY id DESC LIMIT 1`,
    )
    const facts = typeof entry?.facts === 'string' ? entry.facts : JSON.stringify(entry?.facts)
    expect(JSON.parse(facts).fields.sort()).toEqual(['prices', 'publicationName', 'sellsBackIssues'])
  })
})

describe('removing', () => {
  it('closes the storefront, keeps the data, and can be undone within the quota', async () => {
    const { id, urlKey } = await create()
    await removePublication(services.as(publisher), { id })
    await expect(getStorefront(services.as(visitor), { urlKey })).rejects.toMatchObject({ kind: 'notFound' })
    expect(await listPublications(services.as(publisher), {})).toEqual([])
    await expect(removePublication(services.as(publisher), { id })).rejects.toMatchObject({ kind: 'notFound' })
    await restorePublication(services.as(publisher), { id })
    await expect(getStorefront(services.as(visitor), { urlKey })).resolves.toMatchObject({ id })
    await removePublication(services.as(publisher), { id })
    await create()
    await create()
    await expect(restorePublication(services.as(publisher), { id })).rejects.toMatchObject({
      kind: 'conflict',
      message: 'Publication Quota Met',
    })
  })

  it('is only for its own publisher', async () => {
    const { id } = await create()
    const stranger = services.as(await actorOf(services, 'publisher'))
    for (const work of [
      () => removePublication(stranger, { id }),
      () => restorePublication(stranger, { id }),
      () => updatePublication(stranger, { ...fields({ urlKey: undefined }), id }),
      () => getPublicationFields(stranger, { id }),
      () => getPublicationDraft(stranger, { publicationId: id }),
      () => savePublicationDraft(stranger, { publicationId: id, step: 'info', answers: {} }),
    ])
      await expect(work()).rejects.toMatchObject({ kind: 'notFound' })
  })
})

describe('a draft', () => {
  const save = (step: string, answers: object, more: object = {}) =>
    savePublicationDraft(services.as(publisher), { step, answers, ...more })
  const infoAnswers = () => {
    const { publicationName, issuesPerYear, urlKey, color, emailAddress, orderEmailAddress } = fields()
    return { publicationName, issuesPerYear, urlKey, color, emailAddress, orderEmailAddress }
  }

  it('is stored step by step and becomes the publication', async () => {
    await save('info', infoAnswers())
    await save('prices', { printPriceOneYear: '29.99', digitalIsFree: 'on' })
    await save('prices', { printPriceOneYear: '31.00' })
    expect((await getPublicationDraft(services.as(publisher), {}))?.answers).toMatchObject({
      publicationName: 'The Gardener',
      printPriceOneYear: '31.00',
      digitalIsFree: '',
    })
    const { urlKey } = await publishPublicationDraft(services.as(publisher), {})
    const storefront = await getStorefront(services.as(visitor), { urlKey })
    expect(storefront).toMatchObject({ freeProducts: [], prices: [{ amount: 3100 }] })
    expect(await getPublicationDraft(services.as(publisher), {})).toBeNull()
    await expect(publishPublicationDraft(services.as(publisher), {})).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('reports every problem of a step that it refuses, and keeps half-typed answers when it is only saved', async () => {
    const wrong: Record<string, unknown> = { ...infoAnswers(), publicationName: '', urlKey: 'login' }
    await expect(save('info', wrong)).rejects.toMatchObject({
      fields: { publicationName: 'Required', urlKey: expect.stringContaining('already been taken') },
    })
    expect(await getPublicationDraft(services.as(publisher), {})).toBeNull()
    await save('info', { publicationName: 'Half', issuesPerYear: 'x' }, { isChecked: false })
    expect((await getPublicationDraft(services.as(publisher), {}))?.answers).toMatchObject({
      publicationName: 'Half',
      issuesPerYear: 'x',
    })
    await discardPublicationDraft(services.as(publisher), {})
    expect(await getPublicationDraft(services.as(publisher), {})).toBeNull()
  })

  it('belongs to one user, and drops an unknown field', async () => {
    await save('info', { ...infoAnswers(), removedAt: '2026-01-01', publisherId: '1' })
    expect(Object.keys((await getPublicationDraft(services.as(publisher), {}))?.answers ?? {})).not.toContain(
      'publisherId',
    )
    const pubadmin = services.as(await actorOf(services, 'pubadmin', publisherId))
    expect(await getPublicationDraft(pubadmin, {})).toBeNull()
  })

  it('of an edit changes only its own steps, and stays when the change is refused', async () => {
    const { id } = await create()
    await save('prices', { printPriceOneYear: '40' }, { publicationId: id })
    await save('social', { facebook: 'javascript:alert(1)' }, { publicationId: id, isChecked: false })
    await expect(publishPublicationDraft(services.as(publisher), { publicationId: id })).rejects.toMatchObject({
      fields: { facebook: 'Invalid Web address' },
    })
    expect(await getPublicationDraft(services.as(publisher), { publicationId: id })).toMatchObject({
      problems: { prices: {}, social: { facebook: 'Invalid Web address' } },
    })
    await save('social', { facebook: '' }, { publicationId: id })
    const { urlKey } = await publishPublicationDraft(services.as(publisher), { publicationId: id })
    expect(await getStorefront(services.as(visitor), { urlKey })).toMatchObject({
      publicationName: 'The Gardener',
      prices: [{ product: 'print', amount: 4000 }],
      links: { facebook: '' },
      freeProducts: [],
    })
    expect(await getPublicationDraft(services.as(publisher), { publicationId: id })).toBeNull()
  })

  it('of an edit holds only what differs from the publication', async () => {
    const { id } = await create()
    const ctx = services.as(publisher)
    const opened = storedAnswers(await getPublicationFields(ctx, { id }))
    for (const step of publicationStepNames) await save(step, opened, { publicationId: id })
    expect(await getPublicationDraft(ctx, { publicationId: id })).toBeNull()
    await save('info', { ...opened, emailText: 'Welcome' }, { publicationId: id })
    await editPublication(ctx, { id, publicationName: 'Renamed', printPriceOneYear: '35' })
    expect(await getPublicationDraft(ctx, { publicationId: id })).toMatchObject({
      answers: { emailText: 'Welcome' },
      problems: { info: {} },
    })
    await publishPublicationDraft(ctx, { publicationId: id })
    // Submitted again without changes.
    await publishPublicationDraft(ctx, { publicationId: id })
    const changed = { publicationName: 'Renamed', printPriceOneYear: '35.00', emailText: 'Welcome' }
    expect((await getPublicationFields(ctx, { id })).fields).toMatchObject(changed)
  })

  it('of an edit leaves what somebody else changed while its step was open', async () => {
    const { id } = await create()
    const ctx = services.as(publisher)
    const opened = storedAnswers(await getPublicationFields(ctx, { id }))
    const isEdit = { publicationId: id, opened }
    await editPublication(ctx, { id, printPriceOneYear: '35' })
    await save('prices', { ...opened, printPriceSixMonth: '16.00' }, isEdit)
    expect((await getPublicationDraft(ctx, { publicationId: id }))?.answers).toEqual({ printPriceSixMonth: '16.00' })
    // Typed, saved automatically, and taken back.
    await save('prices', opened, isEdit)
    expect(await getPublicationDraft(ctx, { publicationId: id })).toBeNull()
    // Typed again on purpose: the same price as before the other change.
    await save('prices', { ...opened, printPriceOneYear: '30' }, isEdit)
    await save('prices', opened, isEdit)
    await publishPublicationDraft(ctx, { publicationId: id })
    expect((await getPublicationFields(ctx, { id })).fields).toMatchObject({
      printPriceOneYear: opened.printPriceOneYear,
      printPriceSixMonth: opened.printPriceSixMonth,
    })
  })
})

describe('the list', () => {
  it('shows the number of titles and the limit, and whom to ask for more', async () => {
    const quota = () => getTitleQuota(services.as(publisher), {})
    expect(await quota()).toEqual({ used: 0, allowed: 2, isMet: false, contact: null })
    const reseller = await makeUser(services, { userType: 'reseller', email: `r${publisherId}@example.test` })
    await services.db.run(`UPDATE users SET reseller_id = :reseller WHERE id = :publisherId`, {
      reseller: reseller.id,
      publisherId,
    })
    await create()
    const { id } = await create()
    expect(await quota()).toMatchObject({ used: 2, isMet: true, contact: { email: reseller.email } })
    await removePublication(services.as(publisher), { id })
    const pubadmin = services.as(await actorOf(services, 'pubadmin', publisherId))
    expect(await getTitleQuota(pubadmin, {})).toMatchObject({ used: 1, allowed: 2, isMet: false })
  })

  it('shows what is on sale, what sells back issues and what was removed', async () => {
    const { id } = await create({ publicationName: 'B' })
    await create({
      publicationName: 'A',
      printPriceOneYear: '',
      printPriceOneYearRecurring: '',
      priceUS: '',
      bundleIsFree: '',
    })
    const list = (input: object = {}) => listPublications(services.as(publisher), input)
    expect((await list()).map(({ isOnSale }) => isOnSale)).toEqual([false, true])
    expect(await list({ sellsBackIssues: true })).toEqual([])
    await editPublication(services.as(publisher), { id, sellsBackIssues: true })
    expect(await list({ sellsBackIssues: true })).toMatchObject([{ id, sellsBackIssues: true, isOnSale: true }])
    await removePublication(services.as(publisher), { id })
    const removed = (actor: Actor) => listRemovedPublications(services.as(actor), {})
    expect(await removed(publisher)).toMatchObject([{ id, publicationName: 'B', removedAt: services.clock.now }])
    expect(await removed(await actorOf(services, 'publisher'))).toEqual([])
  })
})

describe('an edit by a program', () => {
  const edit = (fields: object) => editPublication(services.as(publisher), fields)

  it('keeps fields it does not name, and clears those it sets to null', async () => {
    const { id } = await create()
    await edit({ id, publicationName: 'Gardening', printPriceOneYear: null, priceUS: 4.5, bundleIsFree: false })
    expect((await getPublicationFields(services.as(publisher), { id })).fields).toMatchObject({
      publicationName: 'Gardening',
      printPriceOneYear: '',
      printPriceOneYearRecurring: '25.00',
      priceUS: '4.50',
      bundleIsFree: false,
      questionA: 'Do you garden?',
      webAddress: 'https://www.gardener.example',
    })
    await expect(edit({ id, publicationName: '', priceUS: '1e3' })).rejects.toMatchObject({
      fields: { publicationName: 'Required', priceUS: 'Must be an amount such as 29.99' },
    })
    await expect(editPublication(services.as(await actorOf(services, 'publisher')), { id })).rejects.toMatchObject({
      kind: 'notFound',
    })
  })
})
