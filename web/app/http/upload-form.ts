import { type AppLoadContext, redirect } from '@remix-run/node'
import type { AppContext } from '#core/context.ts'
import { cancelUpload } from '#core/imports/cancel-upload.ts'
import { chooseMapping } from '#core/imports/choose-mapping.ts'
import { confirmUpload } from '#core/imports/confirm-upload.ts'
import { getUpload } from '#core/imports/get-upload.query.ts'
import { columnField } from '#core/imports/guess-mapping.rules.ts'
import type { ImportMode, ImportTarget } from '#core/imports/import-modes.rules.ts'
import { setFileFormat } from '#core/imports/set-file-format.ts'
import { storeUpload } from '#core/imports/store-upload.ts'
import { undoUpload } from '#core/imports/undo-upload.ts'
import { uploadPage } from '#core/imports/upload-row.ts'
import { type AppError, isAppError } from '#core/kernel/errors.ts'
import { failedHint, failedText, uploadedText } from '../components/uploads/upload-texts.ts'
import { logShownError, outdatedForm } from './form.ts'
import { bodyOf, receiveFile } from './receive-upload.ts'
import { redirectWithToast } from './toast.ts'

export interface UploadTarget {
  publicationId: number
  mode: ImportMode
  target: ImportTarget
}

/** The reason why a file was refused, for the upload page. */
export interface FileProblem {
  message: string
  hint: string | undefined
  fields: Record<string, string>
  values: Record<string, string>
  /** The address of the upload that blocks this one. */
  page: string | undefined
}

/** Receives the file of a form and returns the next page's address. */
export async function receiveReaderFile(ctx: AppContext, request: Request, input: UploadTarget): Promise<string> {
  const { uploadId } = await receiveFile(ctx, input.publicationId, bodyOf(request), (file) =>
    storeUpload(ctx, { ...input, ...file }),
  )
  return uploadPage({ id: uploadId, kind: input.mode, target: input.target, publicationId: input.publicationId })
}

const formErrorKinds = new Set<AppError['kind']>(['invalid', 'tooLarge', 'conflict', 'unavailable', 'malformed'])

/** The refusal of a file with its heading and field error; null for other errors. */
export function fileProblem(
  context: AppLoadContext,
  error: unknown,
  refusal = { message: failedText, hint: failedHint },
): FileProblem | null {
  if (!isAppError(error) || !formErrorKinds.has(error.kind)) return null
  logShownError(context, error)
  const { message, hint, fields = {} } = error
  const page = (error.detail as { page?: string } | undefined)?.page
  const isAboutFile =
    error.kind === 'invalid' && fields.file !== undefined && !/^(Invalid file type|Choose a CSV)/.test(fields.file)
  const fieldsWithHint = hint && fields.file ? { file: `${fields.file}. ${hint}` } : fields
  return isAboutFile
    ? { ...refusal, fields: fieldsWithHint, values: {}, page }
    : { message, hint, fields, values: {}, page }
}

/** Handles the forms of an upload's page, and redirects to the page that shows the result. */
export async function handleUploadForm(
  ctx: AppContext,
  context: AppLoadContext,
  { target, uploadId, values }: { target: UploadTarget; uploadId: number; values: Record<string, string> },
): Promise<Response> {
  const upload = await getUpload(ctx, { uploadId, publicationId: target.publicationId })
  const { page } = upload
  const uploadFormPage = page.replace(/[?&]upload=\d+/, '')
  const redirectTo = (to: string, text: string, detail?: string) =>
    redirectWithToast(context, to, { kind: 'success', text, ...(detail ? { detail } : {}) })
  switch (values.intent) {
    case 'map':
      await chooseMapping(ctx, {
        uploadId,
        mapping: upload.columns.map((_, index) => values[columnField(index)] ?? ''),
      })
      return redirect(page)
    case 'read':
      await setFileFormat(ctx, { ...values, uploadId })
      return redirect(page)
    case 'confirm':
    case 'go-on':
      await confirmUpload(ctx, { uploadId, handle: values.handle ?? '' })
      return redirectTo(page, uploadedText)
    case 'stop':
    case 'leave':
      await cancelUpload(ctx, { uploadId })
      return redirect(page)
    case 'cancel':
      await cancelUpload(ctx, { uploadId })
      return redirectTo(uploadFormPage, 'Upload cancelled', 'Nothing was changed.')
    case 'undo':
      await undoUpload(ctx, { uploadId })
      return redirect(page)
    default:
      throw outdatedForm()
  }
}
