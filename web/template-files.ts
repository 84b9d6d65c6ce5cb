import { type RequestHandler, Router } from 'express'
import { byteOrderMark } from '#core/kernel/csv-text.ts'
import { readerFileHeader } from '#core/reader-files/reader.columns.ts'

/** Templates to fill in and upload, generated from the tables of the imports. */
const templates: Record<string, string> = {
  'reader-upload-template.csv': readerFileHeader,
  'postcode-upload-template.csv': 'PostCode',
}

/** The empty template files of the upload pages: a header line with a BOM, so that spreadsheets open them as UTF-8. */
export function templateFiles(): RequestHandler {
  return Router().get('/:file', (request, response, next) => {
    const { file = '' } = request.params
    if (!Object.hasOwn(templates, file)) return next()
    response.attachment(file)
    response.setHeader('Content-Type', 'text/csv; charset=utf-8')
    response.setHeader('Cache-Control', 'public, max-age=3600')
    response.setHeader('X-Content-Type-Options', 'nosniff')
    response.send(`${byteOrderMark}${templates[file]}\r\n`)
  })
}
