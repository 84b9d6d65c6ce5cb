import { z } from 'zod'
import { cancelImport } from '#core/imports/cancel-upload.ts'
import { downloadRejects } from '#core/imports/download-rejects.ts'
import { exportBackup } from '#core/imports/export-backup.ts'
import { getUpload } from '#core/imports/get-upload.query.ts'
import { type FileImport, importFile } from '#core/imports/import-file.ts'
import { importModes, importTargets } from '#core/imports/import-modes.rules.ts'
import { listImports } from '#core/imports/list-imports.query.ts'
import { undoUpload } from '#core/imports/undo-upload.ts'
import { uploadStates } from '#core/imports/upload-states.ts'
import type { ImportView } from '#core/imports/upload-view.ts'
import { getPostcodes } from '#core/postcode-files/get-postcodes.query.ts'
import type { PostcodeFileView } from '#core/postcode-files/postcode-file-row.ts'
import { removePostcodes } from '#core/postcode-files/remove-postcodes.ts'
import { storePostcodes } from '#core/postcode-files/store-postcodes.ts'
import { type ApiCall, get, ofPublication, post } from './api-call.ts'
import { pagesQuery, WireId, wirePage } from './wire-values.ts'

const importParam = { importId: { is: 'id', field: 'uploadId' } } as const
const publicationField = { publicationID: 'publicationId' }
const options = {
  again: 'again',
  dryRun: 'dryRun',
  encoding: 'encoding',
  delimiter: 'delimiter',
  lenient: 'lenient',
}
const count = z.int()

const WireReject = z.object({ line: count, column: z.string(), value: z.string(), reason: z.string() })

const WireImport = z.object({
  _id: WireId,
  state: z.enum(uploadStates),
  mode: z.enum(importModes),
  target: z.enum(importTargets),
  fileName: z.string(),
  processed: count,
  added: count,
  updated: count,
  unchanged: count,
  removed: count,
  failed: count,
  problem: z.string().nullable(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  canUndo: z.boolean(),
})

function wireImport(view: ImportView): z.input<typeof WireImport> {
  const finishedAt = view.finishedAt?.toISOString() ?? null
  return { ...view, _id: view.id, processed: view.rows, startedAt: view.startedAt.toISOString(), finishedAt }
}

const WireDone = z.object({
  import: WireId.nullable(),
  processed: count,
  added: count,
  updated: count,
  unchanged: count,
  removed: count,
  failed: count,
  rejected: z.array(WireReject),
  skippedCells: z.array(
    z.object({
      column: z.string(),
      reason: z.string(),
      count,
      cells: z.array(z.object({ line: count, value: z.string() })),
    }),
  ),
})

function wireDone(done: FileImport): z.input<typeof WireDone> {
  return { ...done, import: done.uploadId, processed: done.rows }
}

const WirePostcodes = z.object({
  _id: WireId,
  state: z.enum(['waiting', 'running', 'checking', 'done', 'failed', 'replaced']),
  isLive: z.boolean(),
  fileName: z.string(),
  rows: count,
  codes: count,
  failed: count,
  problem: z.string().nullable(),
  rejected: z.array(z.object({ line: count, value: z.string(), reason: z.string() })),
})

function wirePostcodes(file: PostcodeFileView): z.input<typeof WirePostcodes> {
  return { ...file, _id: file.id, rejected: file.rejects }
}

const WireStarted = z.object({ _id: WireId, state: z.enum(uploadStates) })

/** Uploads by programs: the file, the state of the import, its rejected rows, its undo. */
export const uploadCalls: readonly ApiCall[] = [
  post({
    path: '/uploadadditional',
    summary:
      'Add the readers of a CSV file, or of rows: the worker does it, and the response is sent when it has ended. The first hundred rejected rows come with line, column and reason; `dryRun` only shows what it would do. `encoding` and `delimiter` say how the file is read where that cannot be determined from it; `lenient` imports rows whose only fault is an email or a telephone, without that cell (`skippedCells`).',
    useCase: importFile,
    query: { ...publicationField, ...options },
    body: { ...publicationField, ...options, csvdata: 'csvdata' },
    fixed: { mode: 'add', target: 'all' },
    takesCsv: true,
    response: WireDone,
    toResponse: wireDone,
    extraStatuses: [404, 409],
  }),
  post({
    path: '/uploadreplace',
    summary:
      'Replace the readers of a publication by those of a CSV file or of rows (target imported: only imported readers), or combine them (mode combine)',
    useCase: importFile,
    query: { ...publicationField, ...options, mode: 'mode', target: 'target' },
    body: { ...publicationField, ...options, csvdata: 'csvdata', mode: 'mode', target: 'target' },
    takesCsv: true,
    response: WireDone,
    toResponse: wireDone,
    extraStatuses: [404, 409],
  }),
  get({
    path: '/imports/{pubId}',
    summary: 'The imports of a publication, the newest first, including those of the back office and the command line',
    useCase: listImports,
    params: ofPublication,
    query: pagesQuery,
    response: wirePage(WireImport),
    toResponse: (list) => ({ ...list, rows: list.rows.map(wireImport) }),
  }),
  get({
    path: '/import/{importId}',
    summary: 'One import: its progress and result',
    useCase: getUpload,
    params: importParam,
    response: WireImport,
    toResponse: wireImport,
  }),
  post({
    path: '/stopimport/{importId}',
    summary:
      'Cancel an import that is waiting, running or interrupted, at a checkpoint: returns how many rows were imported, and the call that undoes them (null: there is nothing to undo)',
    useCase: cancelImport,
    params: importParam,
    response: z.object({
      state: z.enum(uploadStates),
      processed: count,
      added: count,
      updated: count,
      removed: count,
      undo: z.string().nullable(),
    }),
    toResponse: ({ id, state, rows, added, updated, removed, canUndo }) => ({
      state,
      processed: rows,
      added,
      updated,
      removed,
      undo: canUndo ? `/subscriber/undoimport/${id}` : null,
    }),
    extraStatuses: [409],
  }),
  post({
    path: '/undoimport/{importId}',
    summary: 'Undo an import, for thirty days; the worker does it, and the import shows its progress',
    useCase: undoUpload,
    params: importParam,
    response: WireStarted,
    toResponse: ({ id, state }) => ({ _id: id, state }),
    extraStatuses: [409],
  }),
  get({
    path: '/rejectedrows/{importId}',
    summary: 'The rejected rows of an import with line, column and reason, to be corrected and sent again',
    useCase: downloadRejects,
    params: importParam,
    response: 'csv',
    toResponse: (file) => file,
  }),
  get({
    path: '/replacedreaders/{importId}',
    summary: 'The readers that an import changed or removed, as they were before, for thirty days',
    useCase: exportBackup,
    params: importParam,
    fixed: { bom: false },
    response: 'csv',
    toResponse: (file) => file,
  }),
  post({
    path: '/uploadpostcodes',
    summary:
      'Check the readers of a publication against a file of valid postcodes, or rows of them; the worker does it, and the postcode file shows its progress',
    useCase: storePostcodes,
    query: publicationField,
    body: { ...publicationField, csvdata: 'csvdata' },
    takesCsv: true,
    response: WirePostcodes,
    toResponse: wirePostcodes,
    extraStatuses: [404, 409],
  }),
  get({
    path: '/postcodes/{pubId}',
    summary:
      'The postcode file a publication’s readers are checked against, and the newest, which may still be imported',
    useCase: getPostcodes,
    params: ofPublication,
    response: z.object({ live: WirePostcodes.nullable(), latest: WirePostcodes.nullable() }),
    toResponse: ({ live, latest }) => ({ live: live && wirePostcodes(live), latest: latest && wirePostcodes(latest) }),
  }),
  post({
    path: '/removepostcodes',
    summary: 'Remove a publication’s postcode file: postcodes are then checked by format only',
    useCase: removePostcodes,
    body: publicationField,
    response: z.object({ codes: count, changed: count }),
    extraStatuses: [404],
  }),
]
