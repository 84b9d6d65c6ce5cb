/*
 * What counts as an email address, in every form, call, command, file and checkout: what mail servers accept. Whether the mailbox really
 * exists shows only when an email is sent.
 */

/** No space, no control or format character, none of the characters that structure a mail header. */
const atom = String.raw`[^\s\p{C}@<>()\[\]\\",;:.]+`
/** A label of a domain name: letters, digits, hyphens inside. Names in other scripts are written as in the address bar. */
const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?`
const topLabel = String.raw`(?!\p{N}+$)(?=..)${label}`

const anyAddress = new RegExp(
  String.raw`^(?=.{6,254}$)(?=[^@]{1,64}@)${atom}(?:\.${atom})*@(?:${label}\.)+${topLabel}$`,
  'u',
)
/** The pattern of nearly every address, without Unicode classes for speed: a file has a million. */
const usualAddress = /^[a-z0-9_-]+(?:[.+'][a-z0-9_-]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,24}$/i

/** Whether this is an email address as it is stored: `normalEmail` of what was typed. */
export function isEmailAddress(text: string): boolean {
  return (text.length <= 64 && usualAddress.test(text)) || (anyAddress.test(text) && normalEmail(text) === text)
}

/**
 * The address that was typed, trimmed; full-width letters and digits, as Japanese keyboards type them, become the
 * ordinary ones that mail servers know (NFKC).
 */
export function normalEmail(text: string): string {
  return asciiOnly.test(text) ? text.trim() : text.normalize('NFKC').trim()
}

const asciiOnly = /^[\x20-\x7e]*$/
