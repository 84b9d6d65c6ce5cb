import { z } from 'zod'
import type { DuplicateGroup } from '#core/duplicates/list-duplicates.query.ts'
import type { AddressFix } from '#core/fixes/fix-reader-address.ts'
import type { FixView } from '#core/fixes/fix-row.ts'
import type { Page } from '#core/kernel/paging.ts'
import { subTypes } from '#core/terms/term.rules.ts'
import type { ListedReader } from '#core/warnings/listed-reader.ts'
import { IsoDay, WireAmount, WireCurrency, WireId, wireAmount, wirePage } from './wire-values.ts'

const text = z.string()

const readerFields = {
  uniqueReference: text,
  title: text,
  firstName: text,
  lastName: text,
  fullName: text,
  companyName: text,
  email: text,
  addressOne: text,
  addressTwo: text,
  addressThree: text,
  addressFour: text,
  city: text,
  state: text,
  postCode: text,
  country: text,
  subType: z.enum(['', ...subTypes]),
  subStartDate: IsoDay,
  subEndDate: IsoDay,
  subPaid: WireAmount.nullable().describe('null: a free reader'),
  currency: WireCurrency,
  isDeleted: z.boolean(),
  creationDate: z.iso.datetime(),
}

export const WireListedPage = wirePage(z.object({ _id: WireId, ...readerFields }))

export const WireDuplicatePage = wirePage(
  z.object({
    _id: z.array(text).describe('What the readers of a group have in common, in the form that is compared'),
    count: z.int().describe('Readers in the group'),
    data: z.object({ id: WireId, ...readerFields }),
  }),
).describe('One row per reader, those of a group one after the other; total and pages count groups')

function wireListed({ subStartOn, subEndOn, subPaid, subCurrency, createdAt, ...reader }: ListedReader) {
  return {
    ...reader,
    subStartDate: subStartOn,
    subEndDate: subEndOn,
    subPaid: subPaid === null ? null : wireAmount(subPaid),
    currency: subCurrency,
    creationDate: createdAt.toISOString(),
  }
}

export function wireListedPage(page: Page<ListedReader>): z.input<typeof WireListedPage> {
  return { ...page, rows: page.rows.map((reader) => ({ ...wireListed(reader), _id: reader.id })) }
}

export function wireDuplicatePage(page: Page<DuplicateGroup>): z.input<typeof WireDuplicatePage> {
  return {
    ...page,
    rows: page.rows.flatMap(({ keys, count, readers }) =>
      readers.map((reader) => ({ _id: keys, count, data: { ...wireListed(reader), id: reader.id } })),
    ),
  }
}

export const WireFix = z.object({
  _id: WireId,
  state: z.enum(['waiting', 'running', 'done', 'failed', 'undoing', 'undone']),
  fixed: z.int(),
  left: z.int().describe('Readers that could not be fixed automatically'),
  undone: z.int(),
  kept: z.int().describe('Readers that were changed since, and were not restored'),
  canUndo: z.boolean(),
  canResume: z.boolean().describe('It was interrupted: resumeautofix resumes it'),
})

export function wireFix({ id, leftAlone, ...fix }: FixView): z.input<typeof WireFix> {
  return { ...fix, _id: id, left: leftAlone }
}

const WireAddress = z.object({
  addressOne: text,
  addressTwo: text,
  addressThree: text,
  addressFour: text,
  city: text,
  postCode: text,
})

export const WireAddressFix = z.object({
  _id: WireId,
  before: WireAddress,
  after: WireAddress.nullable().describe('null where it cannot be fixed automatically'),
  fix: WireId.nullable().describe('The id for undoautofix'),
})

export function wireAddressFix({ readerId, before, after, fix }: AddressFix): z.input<typeof WireAddressFix> {
  return { _id: readerId, before, after, fix: fix?.id ?? null }
}
