import { z } from 'zod'
import { listDuplicates } from '#core/duplicates/list-duplicates.query.ts'
import { fixReaderAddress } from '#core/fixes/fix-reader-address.ts'
import { fixReaders } from '#core/fixes/fix-readers.ts'
import { resumeFix } from '#core/fixes/resume-fix.ts'
import { undoFix } from '#core/fixes/undo-fix.ts'
import { readerSortNames } from '#core/readers/reader-pages.query.ts'
import { countWarning } from '#core/warnings/count-warnings.query.ts'
import { everyReaderOf } from '#core/warnings/export-warning.ts'
import { listWarning } from '#core/warnings/list-warning.query.ts'
import { duplicateLists, type WarningKey, warnings } from '#core/warnings/warnings.rules.ts'
import { type ApiCall, get, ofPublication, post } from './api-call.ts'
import {
  WireAddressFix,
  WireDuplicatePage,
  WireFix,
  WireListedPage,
  wireAddressFix,
  wireDuplicatePage,
  wireFix,
  wireListedPage,
} from './data-quality.wire.ts'
import { WireReaderRecord } from './reader.wire.ts'
import { inWireNames } from './reader-calls.ts'
import { pageQuery } from './wire-values.ts'

const counts = [
  ...warnings.map(({ key, label }) => ({ list: key, path: `${key}count`, summary: `How many readers: ${label}` })),
  ...duplicateLists.map(({ key, label, endpoints }) => ({
    list: key,
    path: endpoints.count,
    summary: `How many groups of readers with the same: ${label}`,
  })),
].map(({ list, path, summary }) =>
  get({
    path: `/${path}/{pubId}`,
    summary,
    useCase: countWarning,
    params: ofPublication,
    fixed: { list },
    response: z.object({ count: z.int() }),
  }),
)

const lists: ApiCall[] = [
  ...warnings.map(({ key, label }) =>
    get({
      path: `/${key}/{pubId}`,
      summary: `A page of readers: ${label}. Sorted by name, surname, companyName, postCode, email, reference, ends or added`,
      useCase: listWarning,
      params: ofPublication,
      query: pageQuery,
      sorts: readerSortNames,
      fixed: { list: key },
      response: WireListedPage,
      toResponse: wireListedPage,
    }),
  ),
  ...duplicateLists.map(({ key, label, endpoints }) =>
    get({
      path: `/${endpoints.list}/{pubId}`,
      summary: `A page of groups of readers with the same: ${label}. Sorted by key or count`,
      useCase: listDuplicates,
      params: ofPublication,
      query: pageQuery,
      sorts: ['key', 'count'],
      fixed: { list: key },
      response: WireDuplicatePage,
      toResponse: wireDuplicatePage,
    }),
  ),
]

const downloads = (
  [
    ['expireddownload', 'expiredsubscriber', 'Expired readers'],
    ['expiredthirtydownload', 'expirednextthirty', 'Readers that expire in the next 30 days'],
  ] as const satisfies [string, WarningKey, string][]
).map(([path, list, what]) =>
  get({
    path: `/${path}/{pubId}`,
    summary: `${what}, with every field, streamed`,
    useCase: everyReaderOf,
    params: ofPublication,
    fixed: { list },
    response: z.array(WireReaderRecord),
    stream: inWireNames,
  }),
)

const nameFixes = (
  [
    ['autofixnofullname', 'full-names', 'Fill empty full names from title, first and last name'],
    ['autofixnofirstname', 'name-fields', 'Fill empty name fields from the full name'],
  ] as const
).map(([path, kind, what]) => ({
  path: `/${path}/{pubId}`,
  summary: `${what}, where it can be determined. A long list is fixed by the worker: the response then has the state waiting.`,
  useCase: fixReaders,
  params: ofPublication,
  fixed: { kind },
  response: WireFix,
  toResponse: wireFix,
  extraStatuses: [409] as const,
}))

const addressFix = {
  path: '/fixbadaddressdata/{readerId}',
  summary: 'Move the parts of a reader’s address into the right fields',
  useCase: fixReaderAddress,
  params: { readerId: { is: 'id', field: 'id' } },
  response: WireAddressFix,
  toResponse: wireAddressFix,
  extraStatuses: [409],
} as const

/** Manage Data: warnings, their counts, and automatic fixes. GETs that change data are for old clients. */
export const dataQualityCalls: readonly ApiCall[] = [
  ...counts,
  ...lists,
  ...downloads,
  ...nameFixes.flatMap((fix) => [post(fix), get({ ...fix, changes: true })]),
  post(addressFix),
  get({ ...addressFix, changes: true }),
  post({
    path: '/autofixbadaddressdata/{pubId}',
    summary:
      'The same for every address of the list. A long list is fixed by the worker: the response then has the state waiting.',
    useCase: fixReaders,
    params: ofPublication,
    fixed: { kind: 'addresses' },
    response: WireFix,
    toResponse: wireFix,
    extraStatuses: [409],
  }),
  post({
    path: '/resumeautofix/{fixId}',
    summary: 'Resume an automatic fix that was interrupted (`canResume`); the worker does it',
    useCase: resumeFix,
    params: { fixId: { is: 'id', field: 'fixId' } },
    response: WireFix,
    toResponse: wireFix,
    extraStatuses: [409],
  }),
  post({
    path: '/undoautofix/{fixId}',
    summary: 'Undo an automatic fix, for thirty days; readers that were changed since are left unchanged',
    useCase: undoFix,
    params: { fixId: { is: 'id', field: 'fixId' } },
    response: WireFix,
    toResponse: wireFix,
    extraStatuses: [409],
  }),
]
