import { fixReaderAddress } from '#core/fixes/fix-reader-address.ts'
import { saveLayout } from '#core/transfers/save-layout.ts'
import { system } from '#tests/support/factories.ts'
import {
  duplicateReaders,
  someLikelyGroup,
  someMerge,
  someMergeBatch,
  someStoppedBatch,
} from '#tests/support/merges.ts'
import { makeReader } from '#tests/support/readers.ts'
import { endUploads, someImport, somePostcodes } from '#tests/support/uploads.ts'
import { type CallSample, madeFor, type SampleRequest, unknownId } from './call-sample.ts'

/** A new reader of the tenant. */
const someReader = ({ fixture, tenant }: SampleRequest) =>
  makeReader(fixture.services, tenant.publicationId, { firstName: 'Rea', lastName: tenant.marker })

/** Cancels the requested bulk merges: a publication may have only one in progress. */
async function endMerges({ fixture }: SampleRequest): Promise<void> {
  await fixture.services.db.run(
    `UPDATE tasks SET state = 'cancelled' WHERE kind IN ('merge-duplicates', 'undo-merges')`,
  )
}

const readerOfTenant = async (request: SampleRequest) => String(await madeFor(request, someReader))

const deactivatedReader = async (request: SampleRequest) =>
  String(
    await madeFor(request, ({ fixture, tenant }) =>
      makeReader(fixture.services, tenant.publicationId, { lastName: tenant.marker, isDeleted: true }),
    ),
  )

const layoutColumns = [{ column: 'FullName' }, { column: 'PostCode', header: 'Postcode' }]

/** The name of a new mailing layout of the tenant; for the tenant that does not exist, an unknown one. */
async function someLayout({ fixture, tenant, tag }: SampleRequest): Promise<string> {
  const name = `To remove ${tag} ${Math.random().toString(36).slice(2)}`.slice(0, 60)
  if (tenant.publisherId === unknownId) return name
  const input = { publicationId: tenant.publicationId, name, layout: { columns: layoutColumns } }
  return (await saveLayout(fixture.services.as(system), input)).name
}

/** A form with a CSV file, after its other fields. */
async function csvForm({ fixture, tenant }: Omit<SampleRequest, 'tag'>, text: string, mode: string): Promise<FormData> {
  await endUploads({ fixture, tenant })
  const form = new FormData()
  form.set('publicationID', String(tenant.publicationId))
  form.set('mode', mode)
  form.set('again', 'true')
  form.set('file', new File([text], 'readers.csv', { type: 'text/csv' }))
  return form
}

/** A reader whose address has a blank line. */
async function readerWithGap(request: SampleRequest): Promise<string> {
  const readerId = madeFor(request, ({ fixture, tenant }) =>
    makeReader(fixture.services, tenant.publicationId, { addressTwo: '2 Quay', lastName: tenant.marker }),
  )
  return String(await readerId)
}

/** A fix that can be undone. */
async function someFix(request: SampleRequest): Promise<string> {
  // A publication may have only one fix in progress: earlier ones are marked as done.
  await request.fixture.services.db.run(
    `UPDATE tasks SET state = 'done' WHERE kind IN ('fix-readers', 'undo-fix') AND state = 'waiting'`,
  )
  const fixId = madeFor(request, async ({ fixture }) => {
    const fixed = await fixReaderAddress(fixture.services.as(system), { id: await readerWithGap(request) })
    return fixed.fix?.id ?? unknownId
  })
  return String(await fixId)
}

/** A fix that was interrupted. */
async function someInterruptedFix(request: SampleRequest): Promise<string> {
  const id = await someFix(request)
  await request.fixture.services.db.run(
    `UPDATE tasks SET state = 'interrupted' WHERE kind = 'fix-readers' AND subject_id = :id`,
    { id: Number(id) },
  )
  return id
}

/** A bulk merge, with no other in progress. */
async function freshBatch(request: SampleRequest, make: typeof someMergeBatch): Promise<string> {
  await endMerges(request)
  return String(await madeFor(request, make))
}

/** The calls for readers, their files, layouts and duplicates. */
export const subscriberSamples: Record<string, CallSample> = {
  'POST /subscriber/uploadadditional': {
    body: async ({ fixture, tenant, tag }) => {
      await endUploads({ fixture, tenant })
      return {
        publicationID: tenant.publicationId,
        csvdata: [{ UniqueReference: `API-${tag}`, LastName: tenant.marker }],
        again: true,
      }
    },
  },
  'POST /subscriber/uploadreplace': {
    body: ({ fixture, tenant, tag }) =>
      csvForm({ fixture, tenant }, `UniqueReference,LastName\nCOMBINE-${tag},${tenant.marker}\n`, 'combine'),
  },
  'POST /subscriber/uploadpostcodes': {
    body: async ({ fixture, tenant }) => {
      await fixture.services.db.run(
        `UPDATE tasks SET state = 'cancelled' WHERE kind = 'import-postcodes' AND publication_id = :id`,
        {
          id: tenant.publicationId,
        },
      )
      return { publicationID: tenant.publicationId, csvdata: [{ PostCode: 'SW1A 1AA' }] }
    },
  },
  'POST /subscriber/removepostcodes': {
    body: async ({ fixture, tenant }) => {
      if (tenant.publisherId !== unknownId) await somePostcodes({ fixture, tenant })
      return { publicationID: tenant.publicationId }
    },
  },
  'GET /subscriber/import/{importId}': { path: { importId: (request) => madeFor(request, someImport).then(String) } },
  'GET /subscriber/rejectedrows/{importId}': {
    path: { importId: (request) => madeFor(request, someImport).then(String) },
  },
  'GET /subscriber/replacedreaders/{importId}': {
    path: { importId: (request) => madeFor(request, someImport).then(String) },
  },
  'POST /subscriber/undoimport/{importId}': {
    path: { importId: (request) => madeFor(request, someImport).then(String) },
  },
  'POST /subscriber/stopimport/{importId}': {
    path: {
      importId: (request) =>
        madeFor(request, async (inner) => {
          const id = await someImport(inner)
          await inner.fixture.services.db.run(
            `UPDATE tasks SET state = 'interrupted' WHERE kind = 'import-readers' AND subject_id = :id`,
            { id },
          )
          return id
        }).then(String),
    },
  },
  'POST /subscriber/search': {
    body: ({ tenant }) => ({ publicationID: tenant.publicationId, lastName: 'mack' }),
  },
  'POST /subscriber': {
    body: ({ tenant }) => ({
      publicationID: tenant.publicationId,
      lastName: tenant.marker,
      type: 'print',
      sd: '01-02-2026',
    }),
  },
  'POST /subscriber/update': {
    body: async (request) => ({ id: await madeFor(request, someReader), telephone: '01843 555 0100', version: 1 }),
  },
  'GET /subscriber/sub/{readerId}': { path: { readerId: readerOfTenant } },
  'POST /subscriber/remove/{id}': { path: { id: readerOfTenant } },
  'POST /subscriber/reactivate/{id}': { path: { id: deactivatedReader } },
  'DELETE /subscriber/{readerId}': { path: { readerId: readerOfTenant } },
  'POST /subscriber/fixbadaddressdata/{readerId}': { path: { readerId: readerWithGap } },
  'GET /subscriber/fixbadaddressdata/{readerId}': { path: { readerId: readerWithGap } },
  'POST /subscriber/resumeautofix/{fixId}': { path: { fixId: someInterruptedFix } },
  'POST /subscriber/undoautofix/{fixId}': { path: { fixId: someFix } },
  'GET /subscriber/mailinglayout/{pubId}/{name}': { path: { name: () => 'Standard' } },
  'DELETE /subscriber/mailinglayout/{pubId}/{name}': { path: { name: someLayout } },
  'POST /subscriber/mailinglayout': {
    body: ({ tenant, tag }) => ({
      publicationID: tenant.publicationId,
      name: `Layout ${tag}`.slice(0, 60),
      columns: layoutColumns,
    }),
  },
  'POST /subscriber/previewmailinglayout': {
    body: ({ tenant }) => ({ publicationID: tenant.publicationId, columns: layoutColumns }),
  },
  // Only one search may be in progress: that of the previous call is marked as done.
  'POST /subscriber/findlikelyduplicates': {
    body: async ({ fixture, tenant }) => {
      await fixture.services.db.run(`UPDATE tasks SET state = 'done' WHERE kind = 'find-likely'`)
      return { publicationID: tenant.publicationId }
    },
  },
  'POST /subscriber/stoplikelyduplicates': { body: ({ tenant }) => ({ publicationID: tenant.publicationId }) },
  'POST /subscriber/keepreadersapart': {
    body: async (request) => ({
      publicationID: request.tenant.publicationId,
      group: await madeFor(request, someLikelyGroup),
    }),
  },
  'POST /subscriber/mergereaders': {
    body: async (request) => ({
      publicationID: request.tenant.publicationId,
      readers: await duplicateReaders(request),
    }),
  },
  'POST /subscriber/undomerge/{mergeId}': {
    path: { mergeId: async (request) => String(await madeFor(request, someMerge)) },
  },
  'POST /subscriber/mergelikelyduplicates': {
    body: async (request) => {
      await madeFor(request, someLikelyGroup)
      await endMerges(request)
      return { publicationID: request.tenant.publicationId, minConfidence: 0.97 }
    },
  },
  'POST /subscriber/undomerges/{batchId}': { path: { batchId: (request) => freshBatch(request, someMergeBatch) } },
  'POST /subscriber/resumemerges/{batchId}': { path: { batchId: (request) => freshBatch(request, someStoppedBatch) } },
}
