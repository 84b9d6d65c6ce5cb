import { isMultipart } from './multipart.ts'

/** The pages whose forms carry whole reader files or postcode files: how large those may be is said by the page itself. */
const uploadPaths = [
  /^\/upload(additional|replacement|addandcombine)\/\d+$/,
  /^\/uploadpostcodes$/,
  /^\/managedata\/(readers|postcodes)\/\d+\/file$/,
]

/**
 * Whether a form may carry a file of any length: only one that is read as it comes, which is what those pages do with multipart forms.
 * Scripts ask for a page's data under its address with `.data` behind it.
 */
export function mayCarryFile(path: string, contentType: string): boolean {
  if (!isMultipart(contentType)) return false
  const page = path
    .toLowerCase()
    .replace(/\.data$/, '')
    .replace(/(?<=.)\/$/, '')
  return uploadPaths.some((pattern) => pattern.test(page))
}
