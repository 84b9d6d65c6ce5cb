import { makeMailingFile } from '#core/mailing/make-mailing-file.ts'
import { exportReaders } from '#core/reader-files/export-readers.ts'
import { readerSortNames } from '#core/readers/reader-pages.query.ts'
import { searchReaders } from '#core/readers/search-readers.query.ts'
import { type ApiTable, get, post } from './api-call.ts'
import { dataQualityCalls } from './data-quality-calls.ts'
import { likelyCalls } from './likely-calls.ts'
import { mailingCalls } from './mailing-calls.ts'
import { readerCalls } from './reader-calls.ts'
import { searchBody, WireReader, wireReader } from './subscriber.wire.ts'
import { uploadCalls } from './upload-calls.ts'
import { wirePage } from './wire-values.ts'

export const subscriberApi: ApiTable = {
  prefix: 'subscriber',
  calls: [
    ...readerCalls,
    post({
      path: '/search',
      summary: "Search a publication's readers",
      useCase: searchReaders,
      body: searchBody,
      sorts: readerSortNames,
      isFilter: true,
      response: wirePage(WireReader),
      toResponse: (page) => ({ ...page, rows: page.rows.map(wireReader) }),
      extraStatuses: [404],
    }),
    get({
      path: '/v2/mailer/{publicationId}',
      summary:
        'The mailing file: who gets a printed copy today or on another day, in a named layout, for one zone (uk, europe, world)',
      useCase: makeMailingFile,
      params: { publicationId: { is: 'id', field: 'publicationId' } },
      query: { on: 'on', layout: 'layout', zone: 'zones' },
      fixed: { bom: false, split: false },
      response: 'csv',
      toResponse: (file) => file,
    }),
    get({
      path: '/v2/all/{pubId}',
      summary: 'The whole reader database in the columns of an import; target=imported: imported readers only',
      useCase: exportReaders,
      params: { pubId: { is: 'id', field: 'publicationId' } },
      query: { target: 'target' },
      fixed: { bom: false },
      response: 'csv',
      toResponse: (file) => file,
    }),
    ...dataQualityCalls,
    ...likelyCalls,
    ...uploadCalls,
    ...mailingCalls,
  ],
}
