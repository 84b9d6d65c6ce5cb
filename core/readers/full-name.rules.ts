import { cutText } from '../kernel/text-format.ts'

interface Names {
  title: string
  firstName: string
  lastName: string
  fullName: string
}

/** The most characters of a full name. Its parts may have 30, 100 and 100. */
const maxLength = 200

/** A full name composed of its parts, as far as it is stored: "Ms. Ida Finch". */
export function composedFullName({ title, firstName, lastName }: Omit<Names, 'fullName'>): string {
  return cutText([title, firstName, lastName].filter(Boolean).join(' '), maxLength)
}

/**
 * The full name to store: the typed one; if that is blank, or still the one composed of the previous parts, it is composed again.
 */
export function updatedFullName(current: Names, previous: Names | null): string {
  const wasComposed = previous !== null && current.fullName === previous.fullName && isComposed(previous)
  return current.fullName === '' || wasComposed ? composeAsBefore(current, previous) : current.fullName
}

function isComposed(names: Names): boolean {
  return names.fullName === composedFullName(names) || names.fullName === composedFullName({ ...names, title: '' })
}

/** Composes the name with or without the title, as before. */
function composeAsBefore(current: Names, previous: Names | null): string {
  const hasNoTitle =
    previous !== null &&
    previous.fullName !== '' &&
    previous.title !== '' &&
    previous.fullName !== composedFullName(previous)
  return composedFullName(hasNoTitle ? { ...current, title: '' } : current)
}
