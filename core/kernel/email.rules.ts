/*
 * THE rule of what an email address is, for every form, call, command, file and checkout: what a mail server takes from anybody. Whether it
 * is really somebody's shows when the first mail arrives.
 */

/** No space, no control or format character, none of the characters that structure a mail header. */
const atom = String.raw`[^\s\p{C}@<>()\[\]\\",;:.]+`
/** A label of a domain name: letters, digits, hyphens inside. Names in other scripts are those of the address bar. */
const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?`
const topLabel = String.raw`(?!\p{N}+$)(?=..)${label}`

const whole = new RegExp(
  String.raw`^(?=.{6,254}$)(?=[^@]{1,64}@)${atom}(?:\.${atom})*@(?:${label}\.)+${topLabel}$`,
  'u',
)
/** What nearly every address looks like, told without the classes of Unicode: a file has a million. */
const usual = /^[a-z0-9_-]+(?:[.+'][a-z0-9_-]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,24}$/i

export function isEmailAddress(text: string): boolean {
  return (text.length <= 64 && usual.test(text)) || whole.test(text)
}
