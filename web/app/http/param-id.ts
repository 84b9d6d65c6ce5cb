import { notFound } from '#core/kernel/errors.ts'

/** The id in an address; throws a 404 if it is not a number. */
export function idParam(text: string | undefined, what: string): number {
  if (!isId(text)) throw notFound(what)
  return Number(text)
}

export function isId(text: string | undefined): boolean {
  return text !== undefined && /^[1-9]\d{0,15}$/.test(text)
}
