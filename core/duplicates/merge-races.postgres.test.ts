import { expect, it } from 'vitest'
import { makePublication, operator } from '#tests/support/factories.ts'
import { makeReader, readerRow } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { mergeExact } from './merge-exact.ts'

it('a group with a reader who is edited during the merge of a list is left out, and the other groups are merged', async () => {
  const services = await openTestServices()
  const { id: publicationId } = await makePublication(services)
  const makePair = async (lastName: string) => {
    const same = { firstName: 'Ann', lastName, fullName: `Ann ${lastName}`, postCode: 'PL23 1AT' }
    return [await makeReader(services, publicationId, same), await makeReader(services, publicationId, same)] as const
  }
  const [edited, unedited] = [await makePair('Lee'), await makePair('Reed')]
  const editor = await services.db.bulk.postgres()
  await editor.query('BEGIN')
  await editor.query(
    `UPDATE readers SET full_name = 'Bo Lee', key_name = 'bo lee', version = version + 1 WHERE id = ${edited[0]}`,
  )
  const merging = mergeExact(services.as(operator), { publicationId, list: 'duplicatefullname' })
  const waiting = () =>
    services.db.query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
  await expect.poll(waiting, { timeout: 60_000, interval: 5 }).toHaveLength(1)
  await editor.query('COMMIT')
  await editor.release()
  expect(await merging).toMatchObject({ groups: 2, merged: 1, left: 1, removed: 1 })
  for (const id of edited) expect(await readerRow(services, id)).toBeDefined()
  expect((await Promise.all(unedited.map((id) => readerRow(services, id)))).filter(Boolean)).toHaveLength(1)
})
