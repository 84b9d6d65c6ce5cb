import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '#core/access/actor.ts'
import { changeBackIssueCover } from '#core/back-issues/change-cover.ts'
import { createBackIssue } from '#core/back-issues/create-back-issue.ts'
import { updateBackIssue } from '#core/back-issues/update-back-issue.ts'
import { asJson } from '#core/database.ts'
import { cleanUp } from '#core/maintenance/clean-up.ts'
import { changePublicationImage } from '#core/publications/change-image.ts'
import { createPublication } from '#core/publications/create-publication.ts'
import { getPublicationFields } from '#core/publications/get-publication-fields.query.ts'
import { savePublicationDraft } from '#core/publications/save-publication-draft.ts'
import { actorOf, makePublication, system } from '#tests/support/factories.ts'
import { pngOf } from '#tests/support/pictures.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { type ImageKind, imageFiles, imageProblems, imageShapes } from './image.rules.ts'
import { removeImage } from './remove-image.ts'
import { uploadImage } from './upload-image.ts'

let services: TestServices
let picture: Buffer
let publisher: Actor
let publisherId: number
let publicationId: number
beforeAll(async () => {
  services = await openTestServices()
  picture = await pngOf(300, 400)
})
beforeEach(async () => {
  const publication = await makePublication(services, { sellsBackIssues: true })
  publicationId = publication.id
  publisherId = publication.publisherId
  publisher = await actorOf(services, 'publisher', publisherId)
})

const upload = (actor: Actor, kind: ImageKind = 'cover') => uploadImage(services.as(actor), { kind, image: picture })
const changeImage = (kind: ImageKind, image: Buffer | null) =>
  changePublicationImage(services.as(publisher), { id: publicationId, kind, image })

async function storedName(kind: ImageKind): Promise<string> {
  const { fields } = await getPublicationFields(services.as(publisher), { id: publicationId })
  return String(fields[`${kind}Image`])
}

/** The number of a picture's files that exist. */
async function countFiles(name: string, kind: ImageKind): Promise<number> {
  const found = await Promise.all(imageFiles(name, imageShapes[kind]).map((file) => services.images.open(file)))
  for (const file of found) for await (const _ of file?.content ?? []) break
  return found.filter(Boolean).length
}

const isKnown = async (name: string) =>
  (await services.db.query(`SELECT id FROM images WHERE name = :name`, { name })).length > 0

/** Runs every removal that is due, as the worker would. */
async function runRemovals(): Promise<void> {
  const due = await services.db.query<{ payload: string | object }>(
    `SELECT payload FROM jobs WHERE name = 'remove-image' AND state = 'waiting' AND run_at <= :now`,
    { now: services.now() },
  )
  for (const { payload } of due) await removeImage(services.as(system), asJson(payload))
}

const titleFields = (more: object) => ({
  publicationName: 'The Gardener',
  issuesPerYear: '10',
  urlKey: `gardener-${Math.random().toString(36).slice(2)}`,
  color: '#0b7285',
  emailAddress: 'hello@gardener.example',
  orderEmailAddress: 'orders@gardener.example',
  ...more,
})

describe('an uploaded picture', () => {
  it('is recorded as its publisher’s, and can be used by name or by address', async () => {
    const { name, address } = await upload(publisher)
    expect(address).toBe(`/images/${name}-300.jpg`)
    expect(await countFiles(name, 'cover')).toBe(3)
    const [row] = await services.db.query(`SELECT kind, publisher_id, width, height FROM images WHERE name = :name`, {
      name,
    })
    expect(row).toEqual({ kind: 'cover', publisher_id: publisherId, width: 300, height: 400 })
    const [entry] = await services.db.query<{ action: string }>(
      `SELECT action, publisher_id FROM audit_log ORDER BY id DESC LIMIT 1`,
    )
    expect(entry).toEqual({ action: 'add-image', publisher_id: publisherId })
    await services.db.run(`UPDATE accounts SET number_of_publications = 5 WHERE user_id = :publisherId`, {
      publisherId,
    })
    for (const coverImage of [name, address, `https://subscriptions.example.com${address}`]) {
      const { id } = await createPublication(services.as(publisher), titleFields({ coverImage }))
      const { fields } = await getPublicationFields(services.as(publisher), { id })
      expect(fields.coverImage).toBe(name)
    }
  })

  it('of another publisher, of another kind or unknown is refused', async () => {
    const stranger = await actorOf(services, 'publisher', (await makePublication(services)).publisherId)
    const theirs = await upload(stranger)
    const logo = await upload(publisher, 'logo')
    await services.db.run(`UPDATE accounts SET number_of_publications = 9 WHERE user_id = :publisherId`, {
      publisherId,
    })
    for (const coverImage of [theirs.name, theirs.address, logo.name, 'demo/harbour-light-cover.svg', '../x']) {
      const refused = { kind: 'invalid', fields: { coverImage: 'Upload the image first' } }
      await expect(createPublication(services.as(publisher), titleFields({ coverImage }))).rejects.toMatchObject(
        refused,
      )
      await expect(
        createBackIssue(services.as(publisher), { publicationId, volume: 'One', price: '5', coverImage }),
      ).rejects.toMatchObject(refused)
    }
  })

  it.each(['admin', 'mailer', 'superuser', 'reseller'] as const)('cannot be uploaded by a %s', async (userType) => {
    await expect(upload(await actorOf(services, userType))).rejects.toMatchObject({ kind: 'denied' })
  })

  it('that is not a picture is refused under its form’s field name, and nothing is stored', async () => {
    const image = Buffer.from('no picture')
    const refusal = uploadImage(services.as(publisher), { kind: 'logo', image, field: 'logoImage' })
    await expect(refusal).rejects.toMatchObject({ fields: { logoImage: imageProblems.wrongType } })
    expect(await services.db.query(`SELECT id FROM images WHERE publisher_id = :publisherId`, { publisherId })).toEqual(
      [],
    )
  })

  it('is limited per hour', async () => {
    await services.db.run(`INSERT INTO rate_limits (limit_key, hits, resets_at) VALUES (:key, 200, :until)`, {
      key: `upload-image:${publisherId}`,
      until: new Date(services.now().getTime() + 60_000),
    })
    await expect(upload(publisher)).rejects.toMatchObject({ kind: 'tooMany' })
  })
})

describe("changing a publication's picture", () => {
  it('replaces the old one, which is deleted after an hour', async () => {
    await changeImage('cover', picture)
    const formerName = await storedName('cover')
    await changeImage('cover', await pngOf(200, 200))
    const currentName = await storedName('cover')
    expect(currentName).toMatch(/-200x200$/)
    await runRemovals()
    expect([await countFiles(formerName, 'cover'), await isKnown(formerName)]).toEqual([3, false])
    services.clock.advance({ days: 1 })
    await runRemovals()
    expect([await countFiles(formerName, 'cover'), await countFiles(currentName, 'cover')]).toEqual([0, 3])
    const entries = await services.db.query(
      `SELECT action FROM audit_log WHERE action = 'change-image' AND subject_type = 'publication' AND subject_id = :publicationId`,
      { publicationId },
    )
    expect(entries).toHaveLength(2)
  })

  it('keeps the old one when the new file is not a picture', async () => {
    await changeImage('logo', picture)
    const before = await storedName('logo')
    await expect(changeImage('logo', Buffer.from('no picture'))).rejects.toMatchObject({ kind: 'invalid' })
    services.clock.advance({ days: 10 })
    await cleanUp(services.as(system), {})
    await runRemovals()
    expect([await storedName('logo'), await countFiles(before, 'logo')]).toEqual([before, 3])
  })

  it('to none removes it', async () => {
    await changeImage('logo', picture)
    const name = await storedName('logo')
    expect(await changeImage('logo', null)).toBeNull()
    services.clock.advance({ days: 1 })
    await runRemovals()
    expect([await storedName('logo'), await countFiles(name, 'logo')]).toEqual(['', 0])
  })

  it('keeps pictures used by another title, and the demo’s drawings', async () => {
    const { name } = await upload(publisher)
    for (const id of [publicationId, (await makePublication(services, { publisherId })).id])
      await services.db.run(`UPDATE publications SET cover_image = :name WHERE id = :id`, { name, id })
    await services.db.run(`UPDATE publications SET logo_image = 'demo/x-logo.svg' WHERE id = :id`, {
      id: publicationId,
    })
    await changeImage('cover', picture)
    await changeImage('logo', picture)
    services.clock.advance({ days: 10 })
    await cleanUp(services.as(system), {})
    await runRemovals()
    expect([await countFiles(name, 'cover'), await isKnown(name)]).toEqual([3, true])
  })

  it('is refused for another publisher, before the picture is read', async () => {
    const theirs = await makePublication(services)
    const refusal = changePublicationImage(services.as(publisher), { id: theirs.id, kind: 'cover', image: picture })
    await expect(refusal).rejects.toMatchObject({ kind: 'notFound' })
    expect(await services.db.query(`SELECT id FROM images WHERE publisher_id = :publisherId`, { publisherId })).toEqual(
      [],
    )
  })
})

it('a back issue’s cover is changed the same way, and not another publisher’s', async () => {
  const ctx = services.as(publisher)
  const { id } = await createBackIssue(ctx, { publicationId, volume: 'Winter', price: '5' })
  const formerCover = await changeBackIssueCover(ctx, { id, image: picture })
  await changeBackIssueCover(ctx, { id, image: await pngOf(100, 100) })
  services.clock.advance({ days: 1 })
  await runRemovals()
  expect(await countFiles(formerCover?.name ?? '', 'cover')).toBe(0)
  const stranger = await actorOf(services, 'publisher', (await makePublication(services)).publisherId)
  await expect(changeBackIssueCover(services.as(stranger), { id, image: picture })).rejects.toMatchObject({
    kind: 'notFound',
  })
  const { name } = await upload(publisher)
  await updateBackIssue(ctx, { id, volume: 'Winter', price: '5', coverImage: name })
  const [row] = await services.db.query(`SELECT cover_image FROM back_issues WHERE id = :id`, { id })
  expect(row).toEqual({ cover_image: name })
})

it('unused pictures are deleted after a week, except those in drafts', async () => {
  const unused = await upload(publisher)
  const drafted = await upload(publisher)
  const fresh = await upload(publisher)
  await savePublicationDraft(services.as(publisher), {
    publicationId: 0,
    step: 'images',
    answers: { coverImage: drafted.name },
  })
  services.clock.advance({ days: 8 })
  await services.db.run(`UPDATE images SET created_at = :now WHERE name = :name`, {
    now: services.now(),
    name: fresh.name,
  })
  await cleanUp(services.as(system), {})
  expect(await Promise.all([unused, drafted, fresh].map(({ name }) => isKnown(name)))).toEqual([false, true, true])
  services.clock.advance({ days: 1 })
  await runRemovals()
  expect([await countFiles(unused.name, 'cover'), await countFiles(drafted.name, 'cover')]).toEqual([0, 3])
})
