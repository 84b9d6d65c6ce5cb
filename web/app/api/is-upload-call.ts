import { isMultipart } from '../http/multipart.ts'
import { apiTables } from './api-tables.ts'

const paths = apiTables.flatMap(({ prefix, calls }) =>
  calls
    .filter(({ takesCsv }) => takesCsv)
    .map(({ path }) => new RegExp(`^/api/${prefix}${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i')),
)

/** Whether an API call accepts a file of any length: a multipart body that is streamed. */
export function isUploadCall(path: string, contentType: string): boolean {
  return isMultipart(contentType) && paths.some((call) => call.test(path))
}
