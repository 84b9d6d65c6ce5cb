import { cutText } from '../kernel/text-format.ts'

interface Names {
  title: string
  firstName: string
  lastName: string
  fullName: string
}

/** The most characters of a full name. Its parts may have 30, 100 and 100. */
const longest = 200

/** A full name composed of its parts, as far as it is stored: "Ms. Ida Finch". */
export function composedFullName({ title, firstName, lastName }: Omit<Names, 'fullName'>): string {
  return cutText([title, firstName, lastName].filter(Boolean).join(' '), longest)
}

/**
 * The full name to store: the typed one; if that is blank, or still the one composed of the previous parts, it is composed again.
 */
export function updatedFullName(now: Names, before: Names | null): string {
  const wasComposed = before !== null && now.fullName === before.fullName && isComposed(before)
  return now.fullName === '' || wasComposed ? composeAsBefore(now, before) : now.fullName
}

function isComposed(names: Names): boolean {
  return names.fullName === composedFullName(names) || names.fullName === composedFullName({ ...names, title: '' })
}

/** Composes the name with or without the title, as before. */
function composeAsBefore(now: Names, before: Names | null): string {
  const hasNoTitle =
    before !== null && before.fullName !== '' && before.title !== '' && before.fullName !== composedFullName(before)
  return composedFullName(hasNoTitle ? { ...now, title: '' } : now)
}
