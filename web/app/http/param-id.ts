import { notFound } from '#core/kernel/errors.ts'

/** An id from an address. What is no number is an address that does not exist. */
export function idParam(text: string | undefined, what: string): number {
  if (!text || !/^[1-9]\d{0,15}$/.test(text)) throw notFound(what)
  return Number(text)
}
