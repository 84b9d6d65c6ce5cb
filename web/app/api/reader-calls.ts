import { z } from 'zod'
import { addReader } from '#core/readers/add-reader.ts'
import { deactivateReader } from '#core/readers/deactivate-reader.ts'
import { editReader } from '#core/readers/edit-reader.ts'
import { everyReader } from '#core/readers/every-reader.query.ts'
import { getReaderRecord } from '#core/readers/get-reader-record.query.ts'
import { reactivateReader } from '#core/readers/reactivate-reader.ts'
import { removeReader } from '#core/readers/remove-reader.ts'
import { type ApiCall, del, get, post } from './api-call.ts'
import {
  changedReaderBody,
  ignoredReaderFields,
  newReaderBody,
  WireReaderRecord,
  wireReaderRecord,
} from './reader.wire.ts'
import { WireId } from './wire-values.ts'

const WireActivation = z.object({ _id: WireId, changed: z.boolean() })

/** Calls for single readers, and a list of all. */
export const readerCalls: readonly ApiCall[] = [
  post({
    path: '',
    summary:
      'Add a reader. Days may be DD-MM-YYYY or ISO; blank ones are until further notice, blank opt-outs count as opted out, a blank reference gets the next one.',
    useCase: addReader,
    body: newReaderBody,
    ignored: ignoredReaderFields,
    response: z.object({ _id: WireId, uniqueReference: z.string() }),
    toResponse: ({ id, uniqueReference }) => ({ _id: id, uniqueReference }),
    status: 201,
    extraStatuses: [404],
  }),
  post({
    path: '/update',
    summary:
      'Change a reader: fields that are not sent stay unchanged. With the `version` that was read, a record changed since is refused with 409, field by field.',
    useCase: editReader,
    body: changedReaderBody,
    ignored: ignoredReaderFields,
    response: z.object({ _id: WireId, version: z.int() }),
    toResponse: ({ id, version }) => ({ _id: id, version }),
    extraStatuses: [404, 409],
  }),
  get({
    path: '/sub/{readerId}',
    summary: 'One reader with every field',
    useCase: getReaderRecord,
    params: { readerId: { is: 'id', field: 'id' } },
    response: WireReaderRecord.extend({
      modifiedBy: z.string().nullable().describe('The staff member who changed it last; null: nobody, or not by hand'),
      emailBounced: z
        .object({ since: z.iso.datetime(), answer: z.string().describe('The response of the mail server') })
        .nullable()
        .describe('Messages to its email bounce, so nothing is sent there; null: they do not'),
      emailComplained: z.iso
        .datetime()
        .nullable()
        .describe('When an email was reported as spam: no reminders and offers since'),
    }),
    toResponse: ({ modifiedBy, emailBounced, emailComplained, ...reader }) => ({
      ...wireReaderRecord(reader),
      modifiedBy,
      emailBounced: emailBounced && { ...emailBounced, since: emailBounced.since.toISOString() },
      emailComplained: emailComplained?.toISOString() ?? null,
    }),
  }),
  post({
    path: '/remove/{id}',
    summary: 'Deactivate a reader: no more copies or mailings, the record stays',
    useCase: deactivateReader,
    params: { id: { is: 'id', field: 'id' } },
    response: WireActivation,
    toResponse: ({ id, changed }) => ({ _id: id, changed }),
  }),
  post({
    path: '/reactivate/{id}',
    summary: 'Make a deactivated reader active again',
    useCase: reactivateReader,
    params: { id: { is: 'id', field: 'id' } },
    response: WireActivation,
    toResponse: ({ id, changed }) => ({ _id: id, changed }),
  }),
  del({
    path: '/{readerId}',
    summary: 'Remove a reader; orders and the reader’s account stay',
    useCase: removeReader,
    params: { readerId: { is: 'id', field: 'id' } },
    response: z.object({ _id: WireId }),
    toResponse: ({ id }) => ({ _id: id }),
  }),
  get({
    path: '/all/{publicationId}',
    summary: 'Every reader with every field, streamed; `target=imported` for imported readers only',
    useCase: everyReader,
    params: { publicationId: { is: 'id', field: 'publicationId' } },
    query: { target: 'target' },
    response: z.array(WireReaderRecord),
    stream: (batches) => inWireNames(batches),
  }),
]

/** The batches of readers under the API's field names. */
export async function* inWireNames(batches: Awaited<ReturnType<typeof everyReader>>) {
  for await (const batch of batches) yield batch.map(wireReaderRecord)
}
