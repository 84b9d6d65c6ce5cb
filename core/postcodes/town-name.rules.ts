const lowerCaseWords = new Set('and by in le nan of on the under upon y yr'.split(' '))

/** A post town as people write it: STOKE-ON-TRENT is Stoke-on-Trent. One that is not all capitals is unchanged. */
export function townName(text: string): string {
  if (text !== text.toUpperCase()) return text
  return text
    .toLowerCase()
    .split(/([\s-]+)/)
    .map((word, index) => (index > 0 && lowerCaseWords.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')
}
