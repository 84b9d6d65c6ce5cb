/*
 * The rule of what an email address is, for every form, call, command, file and checkout: what mail servers accept. Whether it really belongs to
 * somebody shows when the first mail arrives.
 */

/** No space, no control or format character, none of the characters that structure a mail header. */
const atom = String.raw`[^\s\p{C}@<>()\[\]\\",;:.]+`
/** A label of a domain name: letters, digits, hyphens inside. Names in other scripts are written as in the address bar. */
const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?`
const topLabel = String.raw`(?!\p{N}+$)(?=..)${label}`

const whole = new RegExp(
  String.raw`^(?=.{6,254}$)(?=[^@]{1,64}@)${atom}(?:\.${atom})*@(?:${label}\.)+${topLabel}$`,
  'u',
)
/** The pattern of nearly every address, without Unicode classes for speed: a file has a million. */
const usual = /^[a-z0-9_-]+(?:[.+'][a-z0-9_-]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,24}$/i

export function isEmailAddress(text: string): boolean {
  return (text.length <= 64 && usual.test(text)) || whole.test(text)
}
