/** A path without what may name a person or open a door: an address with an @, a long token. For the log. */
export function publicPath(path: string): string {
  return path
    .split('/')
    .map((part) => (/@|%40/i.test(part) || part.length > 60 || /^[\w-]{32,}(\.\w+)?$/.test(part) ? '…' : part))
    .join('/')
}
