/** A path for the log, without the parts that may identify a person or grant access: an email address, a long token, a signed key. */
export function publicPath(path: string): string {
  return path
    .split('/')
    .map((part) => (/@|%40/i.test(part) || part.length > 60 || keyPattern.test(part) ? '…' : part))
    .join('/')
}

/** A long token, or the key of an emailed link, which ends in its signature; either may be followed by an extension such as the router's `.data`. */
const keyPattern = /^(?:[\w-]{32,}|[\w.-]+\.[\w-]{22})(?:\.\w+)?$/
