import type { Actor } from '#core/access/actor.ts'
import { contextFor } from '#core/context.ts'
import { importFile } from '#core/imports/import-file.ts'
import type { ImportMode, ImportTarget } from '#core/imports/import-modes.rules.ts'
import { storeUpload } from '#core/imports/store-upload.ts'
import type { Running } from '#core/platform/make-services.ts'
import { operator } from './factories.ts'
import { makeReader } from './readers.ts'
import type { TestServices } from './test-services.ts'
import { withRunningWorker } from './worker.ts'

let imports = 0

/** The bytes of a text as they arrive: in small chunks. */
export async function* pieces(text: string | Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

interface TestUpload {
  publicationId: number
  text: string | Uint8Array
  fileName?: string
  mode?: ImportMode
  target?: ImportTarget
}

/** Uploads a file as a browser would. Returns the upload's id and state. */
export function upload(
  services: TestServices,
  actor: Actor,
  { publicationId, text, fileName = 'readers.csv', mode = 'add', target = 'all' }: TestUpload,
): Promise<{ uploadId: number; state: string }> {
  return storeUpload(services.as(actor), { publicationId, mode, target, fileName, chunks: pieces(text) })
}

interface TenantFixture {
  fixture: { services: Running }
  tenant: { publicationId: number; marker: string }
}

/** Ends any open upload of a tenant, so that the next one can start. */
export async function endUploads({ fixture, tenant }: TenantFixture): Promise<void> {
  const { db } = fixture.services
  const values = { id: tenant.publicationId }
  await db.run(`UPDATE uploads SET draft = 'cancelled' WHERE publication_id = :id AND draft IS NOT NULL`, values)
  await db.run(
    `UPDATE tasks SET state = 'cancelled' WHERE publication_id = :id AND state IN ('waiting', 'running', 'interrupted')
       AND kind IN ('check-upload', 'import-readers', 'undo-import')`,
    values,
  )
}

/** An import that changed a reader of a tenant and rejected a row. Returns its id. */
export async function someImport(tenantFixture: TenantFixture): Promise<number> {
  const { fixture, tenant } = tenantFixture
  await endUploads(tenantFixture)
  const uniqueReference = `IMPORTED-${++imports}`
  await makeReader(fixture.services, tenant.publicationId, { uniqueReference, lastName: 'Before' })
  const { uploadId } = await withRunningWorker(fixture.services, () =>
    importFile(contextFor(fixture.services, operator, { entryPoint: 'test' }), {
      publicationId: tenant.publicationId,
      mode: 'combine',
      csvdata: [
        { UniqueReference: uniqueReference, LastName: tenant.marker, Email: '' },
        { UniqueReference: `${uniqueReference}-BAD`, LastName: tenant.marker, Email: 'nobody' },
      ],
    }),
  )
  return uploadId ?? 0
}

/** A postcode file in use for a tenant's readers. */
export async function somePostcodes({ fixture, tenant }: TenantFixture): Promise<void> {
  const { db } = fixture.services
  const values = { id: tenant.publicationId, yes: true, no: false, now: fixture.services.now() }
  await db.run(`UPDATE postcode_files SET is_live = :no WHERE publication_id = :id`, values)
  const [file] = await db.query<{ id: number }>(
    `INSERT INTO postcode_files (publication_id, is_live, file_name, bytes, rejects)
     VALUES (:id, :yes, 'codes.csv', 1, '[]') RETURNING id`,
    values,
  )
  await db.run(
    `INSERT INTO tasks (kind, publication_id, subject_id, state, counts, actor_kind, on_lost, asked_at, finished_at)
     VALUES ('import-postcodes', :id, :fileId, 'done', '{}', 'operator', 'interrupt', :now, :now)`,
    { ...values, fileId: Number(file?.id) },
  )
}
