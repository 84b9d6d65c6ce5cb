/** A path without parts that may name a person or give access: an address with an @, a long token, a signed key. For the log. */
export function publicPath(path: string): string {
  return path
    .split('/')
    .map((part) => (/@|%40/i.test(part) || part.length > 60 || isKey.test(part) ? '…' : part))
    .join('/')
}

/** A long token, or the signature at the end of a mailed link's key; with the ending of the router's data. */
const isKey = /^(?:[\w-]{32,}|[\w.-]+\.[\w-]{22})(?:\.\w+)?$/
