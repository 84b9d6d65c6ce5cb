import { isMultipart } from '../http/multipart.ts'
import { apiTables } from './api-tables.ts'

const paths = apiTables.flatMap(({ prefix, calls }) =>
  calls
    .filter(({ takesCsv }) => takesCsv)
    .map(({ path }) => new RegExp(`^/api/${prefix}${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i')),
)

/** Whether a call of the API may carry a file of any length: one that is read as it comes, in a multipart body. */
export function isUploadCall(path: string, contentType: string): boolean {
  return isMultipart(contentType) && paths.some((call) => call.test(path))
}
