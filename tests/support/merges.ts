import { mergeReaders } from '#core/readers/merge-readers.ts'
import { operator } from './factories.ts'
import { makeReader } from './readers.ts'
import type { TestServices } from './test-services.ts'

interface Where {
  world: { services: TestServices }
  tenant: { publicationId: number; word: string }
}

/** Two records of one reader of a tenant. */
export async function twinReaders({ world, tenant }: Where): Promise<number[]> {
  const twin = { firstName: 'Tess', lastName: tenant.word, addressOne: '1 Quay', postCode: 'PL23 1AT' }
  return [
    await makeReader(world.services, tenant.publicationId, twin),
    await makeReader(world.services, tenant.publicationId, { ...twin, firstName: 'Tessa' }),
  ]
}

/** A finished search of a tenant with one sure group. Gives the group's id. */
export async function someLikelyGroup(where: Where): Promise<number> {
  const { db } = where.world.services
  const readers = await twinReaders(where)
  const at = { publicationId: where.tenant.publicationId, now: where.world.services.now() }
  return db.transaction(async () => {
    const search = await only(
      db.query<{ id: number }>(
        `INSERT INTO likely_searches (publication_id, state, groups_found, readers, actor_kind, asked_at, finished_at)
         VALUES (:publicationId, 'done', 1, 2, 'operator', :now, :now) RETURNING id`,
        at,
      ),
    )
    const group = await only(
      db.query<{ id: number }>(
        `INSERT INTO likely_groups (search_id, publication_id, confidence, members) VALUES (:search, :publicationId, 0.99, 2) RETURNING id`,
        { ...at, search },
      ),
    )
    for (const reader of readers) {
      await db.run(
        `INSERT INTO likely_members (group_id, reader_id, version, fit, reasons) VALUES (:group, :reader, 1, 0.99, '["same address"]')`,
        { group, reader },
      )
    }
    return group
  })
}

/** A merge that can be undone. */
export async function someMerge(where: Where): Promise<number> {
  const { services } = where.world
  const input = { publicationId: where.tenant.publicationId, readerIds: await twinReaders(where) }
  return (await mergeReaders(services.as(operator), input)).mergeId ?? 0
}

/** A run of merges that is over. */
export async function someMergeBatch({ world, tenant }: Where): Promise<number> {
  const { db, now } = world.services
  const values = { publicationId: tenant.publicationId, now: now() }
  return db.transaction(async () => {
    const batch = await only(
      db.query<{ id: number }>(
        `INSERT INTO merge_batches (publication_id, search_id, min_confidence, groups_asked, groups_merged)
         VALUES (:publicationId, 1, 0.97, 1, 1) RETURNING id`,
        values,
      ),
    )
    await db.run(
      `INSERT INTO tasks (kind, publication_id, publisher_id, subject_id, state, counts, actor_kind, on_lost, asked_at, finished_at)
       SELECT 'merge-duplicates', id, publisher_id, :batch, 'done', '{}', 'operator', 'resume', :now, :now
       FROM publications WHERE id = :publicationId`,
      { ...values, batch },
    )
    return batch
  })
}

async function only(rows: Promise<{ id: number }[]>): Promise<number> {
  return Number((await rows)[0]?.id)
}
