import { expect, it } from 'vitest'
import { fixReaders } from '#core/fixes/fix-readers.ts'
import { actorOf, makePublication } from '#tests/support/factories.ts'
import { copyReader, makeReader, readerRow } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { requestedFix } from './manage-data.ts'

const services = await openTestServices()

async function withReader() {
  const { id, publisherId } = await makePublication(services)
  const ctx = services.as(await actorOf(services, 'publisher', publisherId))
  const add = () => makeReader(services, id, { firstName: 'Ida', lastName: 'Finch', fullName: '' })
  return { publicationId: id, ctx, add, first: await add() }
}

it('a fix of a whole list fixes the readers that its preview counted, not those who were added since', async () => {
  const { publicationId, ctx, add, first } = await withReader()
  // The filter is that of the list on the page, which another list may be fixed from.
  const preview = await requestedFix(ctx, publicationId, { fix: 'full-names', q: 'somebody' })
  expect(preview).toMatchObject({ total: 1, fixable: 1, readerIds: [first] })
  const later = await add()
  const fix = await fixReaders(ctx, { publicationId, kind: 'full-names', readerIds: preview?.readerIds ?? undefined })
  expect(fix).toMatchObject({ state: 'done', fixed: 1 })
  expect(await readerRow(services, later)).toMatchObject({ full_name: '' })
})

it('a fix of an empty list has a preview, and one of a long list is left to the list', async () => {
  const { publicationId, ctx, first } = await withReader()
  expect(await requestedFix(ctx, publicationId, { fix: 'addresses' })).toMatchObject({ total: 0, readerIds: null })
  await copyReader(services, first, 2000)
  expect(await requestedFix(ctx, publicationId, { fix: 'full-names' })).toMatchObject({
    total: 2001,
    readerIds: null,
    fingerprint: expect.any(String),
  })
})
