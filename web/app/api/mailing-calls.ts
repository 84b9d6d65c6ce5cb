import { z } from 'zod'
import { postalZones } from '#core/kernel/postal-zones.rules.ts'
import { countMailing } from '#core/mailing/count-mailing.query.ts'
import { getLayout } from '#core/mailing/get-layout.query.ts'
import { delimiters, encodings } from '#core/mailing/layout.rules.ts'
import type { StoredLayout } from '#core/mailing/layout-row.ts'
import { listLayouts } from '#core/mailing/list-layouts.query.ts'
import { previewLayout } from '#core/mailing/preview-layout.query.ts'
import { removeLayout } from '#core/transfers/remove-layout.ts'
import { saveLayout } from '#core/transfers/save-layout.ts'
import { type ApiCall, del, get, ofPublication, post } from './api-call.ts'
import { IsoDay } from './wire-values.ts'

const byName = { ...ofPublication, name: { is: 'text', field: 'name' } } as const
const layoutBody = {
  publicationID: 'publicationId',
  ...Object.fromEntries(
    ['columns', 'delimiter', 'encoding', 'namesColumns', 'quotes', 'isTownUpper', 'isSplit', 'keyLine', 'maxWidth'].map(
      (field) => [field, `layout.${field}`],
    ),
  ),
}

const WireLayout = z.object({
  name: z.string(),
  isShared: z.boolean().describe('For every publication of the publisher'),
  columns: z.array(z.object({ column: z.string(), header: z.string() })),
  delimiter: z.enum(Object.keys(delimiters) as [keyof typeof delimiters]),
  encoding: z.enum(encodings),
  namesColumns: z.boolean(),
  quotes: z.enum(['needed', 'all']),
  isTownUpper: z.boolean(),
  isSplit: z.boolean(),
  keyLine: z.string(),
  maxWidth: z.int().nullable(),
})

const wireLayout = ({ name, isShared, layout }: StoredLayout) => ({ name, isShared, ...layout })

const LabelledCount = z.object({ label: z.string(), count: z.int() })

/** Calls beyond the specification: mailing houses' layouts, and a preview of a mailing file. */
export const mailingCalls: readonly ApiCall[] = [
  get({
    path: '/v2/mailercounts/{pubId}',
    summary: 'The readers in a mailing file by zone and type, and those left out by reason: together all readers',
    useCase: countMailing,
    params: ofPublication,
    query: { on: 'on', layout: 'layout', zone: 'zones' },
    response: z.object({
      on: IsoDay,
      layout: z.string(),
      readers: z.int(),
      included: z.int(),
      zones: z.array(
        z.object({ zone: z.enum(postalZones), label: z.string(), print: z.int(), bundle: z.int(), readers: z.int() }),
      ),
      excluded: z.array(LabelledCount.extend({ reason: z.string() })),
    }),
  }),
  get({
    path: '/mailinglayouts/{pubId}',
    summary: 'The layouts that a publication’s mailing file may have, the standard one first',
    useCase: listLayouts,
    params: ofPublication,
    response: z.array(WireLayout),
    toResponse: (layouts) => layouts.map(wireLayout),
  }),
  get({
    path: '/mailinglayout/{pubId}/{name}',
    summary: 'One layout by its name, ignoring case',
    useCase: getLayout,
    params: byName,
    response: WireLayout,
    toResponse: wireLayout,
  }),
  post({
    path: '/mailinglayout',
    summary: 'Save a layout: `was` is the name of the one to change; without it a new one is added',
    useCase: saveLayout,
    body: { ...layoutBody, was: 'was', name: 'name', isShared: 'isShared' },
    response: WireLayout,
    toResponse: wireLayout,
    extraStatuses: [404],
  }),
  post({
    path: '/previewmailinglayout',
    summary: 'How a layout that is not saved would write five readers of today’s file',
    useCase: previewLayout,
    body: layoutBody,
    response: z.object({ heads: z.array(z.string()), rows: z.array(z.array(z.string())), text: z.string() }),
    extraStatuses: [404],
  }),
  del({
    path: '/mailinglayout/{pubId}/{name}',
    summary: 'Remove a layout; files made with it keep its name on record',
    useCase: removeLayout,
    params: byName,
    response: z.object({ name: z.string() }),
  }),
]
