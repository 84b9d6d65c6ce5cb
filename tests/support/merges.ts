import { contextFor } from '#core/context.ts'
import { mergeReaders } from '#core/duplicates/merge-readers.ts'
import type { Running } from '#core/platform/make-services.ts'
import { operator } from './factories.ts'
import { makeReader } from './readers.ts'

interface TenantFixture {
  fixture: { services: Running }
  tenant: { publicationId: number; marker: string }
}

/** Two records of one reader of a tenant. */
export async function duplicateReaders({ fixture, tenant }: TenantFixture): Promise<number[]> {
  const values = { firstName: 'Tess', lastName: tenant.marker, addressOne: '1 Quay', postCode: 'PL23 1AT' }
  return [
    await makeReader(fixture.services, tenant.publicationId, values),
    await makeReader(fixture.services, tenant.publicationId, { ...values, firstName: 'Tessa' }),
  ]
}

/** A finished search of a tenant with one certain group. Returns the group's id. */
export async function someLikelyGroup(tenantFixture: TenantFixture): Promise<number> {
  const { db } = tenantFixture.fixture.services
  const readers = await duplicateReaders(tenantFixture)
  const { publicationId } = tenantFixture.tenant
  return db.transaction(async () => {
    const search = await someSearch(tenantFixture, { groups: 1, readers: 2 })
    const group = await only(
      db.query<{ id: number }>(
        `INSERT INTO likely_groups (search_id, publication_id, confidence, shipped, members) VALUES (:search, :publicationId, 0.99, 0.99, 2) RETURNING id`,
        { publicationId, search },
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

/** A finished search of a tenant. Returns its id. */
async function someSearch(
  { fixture, tenant }: { fixture: { services: Running }; tenant: { publicationId: number } },
  counts: { groups: number; readers: number },
): Promise<number> {
  const { db, now } = fixture.services
  const values = { publicationId: tenant.publicationId, now: now() }
  const search = await only(
    db.query<{ id: number }>(
      `INSERT INTO likely_searches (publication_id, groups_found, readers) VALUES (:publicationId, :groups, :readers) RETURNING id`,
      { ...values, ...counts },
    ),
  )
  await db.run(
    `INSERT INTO tasks (kind, publication_id, publisher_id, subject_id, state, counts, actor_kind, on_lost, asked_at, finished_at)
     SELECT 'find-likely', id, publisher_id, :search, 'done', '{}', 'operator', 'restart', :now, :now
     FROM publications WHERE id = :publicationId`,
    { ...values, search },
  )
  return search
}

/** A merge that can be undone. */
export async function someMerge(tenantFixture: TenantFixture): Promise<number> {
  const { services } = tenantFixture.fixture
  const input = { publicationId: tenantFixture.tenant.publicationId, readerIds: await duplicateReaders(tenantFixture) }
  return (await mergeReaders(contextFor(services, operator, { entryPoint: 'test' }), input)).mergeId ?? 0
}

/** A finished bulk merge. */
export function someMergeBatch(tenantFixture: TenantFixture): Promise<number> {
  return makeBatch(tenantFixture, { search: 1, merged: 1, state: 'done' })
}

/** A bulk merge that was stopped before its only group. */
export async function someStoppedBatch(tenantFixture: TenantFixture): Promise<number> {
  const group = await someLikelyGroup(tenantFixture)
  const [row] = await tenantFixture.fixture.services.db.query<{ search_id: number }>(
    `SELECT search_id FROM likely_groups WHERE id = :group`,
    { group },
  )
  return makeBatch(tenantFixture, { search: Number(row?.search_id), merged: 0, state: 'interrupted' })
}

async function makeBatch(
  { fixture, tenant }: TenantFixture,
  batchOf: { search: number; merged: number; state: string },
): Promise<number> {
  const { db, now } = fixture.services
  const values = { ...batchOf, publicationId: tenant.publicationId, now: now() }
  return db.transaction(async () => {
    const batch = await only(
      db.query<{ id: number }>(
        `INSERT INTO merge_batches (publication_id, search_id, min_confidence, groups_asked, groups_merged)
         VALUES (:publicationId, :search, 0.97, 1, :merged) RETURNING id`,
        values,
      ),
    )
    await db.run(
      `INSERT INTO tasks (kind, publication_id, publisher_id, subject_id, state, counts, actor_kind, on_lost, asked_at, finished_at)
       SELECT 'merge-duplicates', id, publisher_id, :batch, :state, '{}', 'operator', 'resume', :now, :now
       FROM publications WHERE id = :publicationId`,
      { ...values, batch },
    )
    return batch
  })
}

async function only(rows: Promise<{ id: number }[]>): Promise<number> {
  return Number((await rows)[0]?.id)
}
