import { isMultipart } from './multipart.ts'

/** The pages whose forms upload reader files, postcode files or providers' reports: they check the file size themselves. */
const uploadPaths = [
  /^\/upload(additional|replacement|addandcombine)\/\d+$/,
  /^\/uploadpostcodes$/,
  /^\/managedata\/(readers|postcodes)\/\d+\/file$/,
  /^\/payments\/reconcile(\/file)?$/,
]

/**
 * Whether a form may carry a file of any length: only multipart forms, which those pages stream. Remix fetches a page's data at its address
 * plus `.data`.
 */
export function mayCarryFile(path: string, contentType: string): boolean {
  if (!isMultipart(contentType)) return false
  const page = path
    .toLowerCase()
    .replace(/\.data$/, '')
    .replace(/(?<=.)\/$/, '')
  return uploadPaths.some((pattern) => pattern.test(page))
}
