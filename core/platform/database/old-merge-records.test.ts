import { expect, it } from 'vitest'
import { ReaderMerges } from '#core/duplicates/reader-merges.rows.ts'
import { addOldPublication, addOldRow } from '#tests/support/old-rows.ts'
import { openMigratedServices } from '#tests/support/test-services.ts'

it('merges without records have them marked as deleted, and no others', async () => {
  const ids = { without: 0, with: 0 }
  const services = await openMigratedServices('132-deleted-merge-records', async (db) => {
    const publication_id = await addOldPublication(db)
    const add = (records: object[]) =>
      addOldRow(db, 'reader_merges', {
        publication_id,
        survivor_id: 1,
        survivor_version: 2,
        removed: 1,
        actor_kind: 'operator',
        moved: '{}',
        records: JSON.stringify(records),
      })
    ids.without = await add([])
    ids.with = await add([{ id: 1 }, { id: 2 }])
  })
  expect(await ReaderMerges.find(services, { id: ids.without })).toMatchObject({ recordsDeletedAt: expect.any(Date) })
  expect(await ReaderMerges.find(services, { id: ids.with })).toMatchObject({ recordsDeletedAt: null })
})
