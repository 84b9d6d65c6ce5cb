/** Particles that are written in lower case inside a name. */
const lowerCaseParticles = new Set(
  'van von vom zum zur zu der den de del della delle dei degli di da dal das dos du des ter ten bin bint ibn und y e af av op aan t al el'.split(
    ' ',
  ),
)
/** What follows "Mac" in the names that continue with a capital: MacDonald, but not Mackay, Macey or Machado. */
const namesAfterMac = new Set(
  (
    'donald dougall dougal leod kenzie pherson gregor intosh millan farlane arthur kinnon lean neil intyre aulay alister allister kinlay ' +
    'laren nab naughton niven phail quarrie rae taggart vicar bride callum'
  ).split(' '),
)
/** Surnames contracted from two words that have an inner capital. */
const innerCapitals = new Map(
  'DeVito DiCaprio DeNiro DeLillo DeLorean DiMaggio DeSantis DeMarco DeLuca DiPietro DeAngelis DeGaulle LeBlanc LaRue LaPorte LaMarca VanDyke VanHorn'
    .split(' ')
    .map((name) => [name.toLowerCase(), name] as const),
)

/** Whether a name is written in capitals or in lower case throughout, so that its case says nothing. */
export function hasNoCase(name: string): boolean {
  const words = name.match(/\p{L}{2,}/gu) ?? []
  return words.length > 0 && (name === name.toUpperCase() || name === name.toLowerCase())
}

/** A part of a name without case, in the usual case: "VAN DER BERG" is "van der Berg", "MCDONALD" is "McDonald", "O'BRIEN" is "O'Brien". */
export function inNameCase(part: string, isSurname: boolean): string {
  const words = part.split(' ')
  return words
    .map((word, index) => {
      const lower = word.toLowerCase()
      if (isSurname && lowerCaseParticles.has(lower) && index < words.length - 1) return lower
      // "MARIA DEL CARMEN".
      if (!isSurname && /^(?:del?|d[ao]s?)$/.test(lower) && index > 0 && index < words.length - 1) return lower
      if (
        (lower === 'la' || lower === 'las' || lower === 'los') &&
        lowerCaseParticles.has((words[index - 1] ?? '').toLowerCase())
      )
        return lower
      return withInnerCapitals(lower)
    })
    .join(' ')
}

function withInnerCapitals(lower: string): string {
  return (
    lower
      .split('-')
      .map((piece) => innerCapitals.get(piece) ?? withCapitals(piece))
      .join('-')
      // "İ" in lower case is an i and a combining dot: NFC joins them in a capital, and the dot of a small letter is removed.
      .normalize('NFC')
      .replaceAll('i\u0307', 'i')
  )
}

function withCapitals(piece: string): string {
  const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
  const apostrophe = /^(o|d|l|m|n|dell|dall|all)(['’])(\p{L}.+)$/u.exec(piece)
  if (apostrophe) return `${capital(apostrophe[1] as string)}${apostrophe[2]}${withCapitals(apostrophe[3] as string)}`
  // Initials that were written together: "J.R.R.".
  if (/^(?:\p{L}\u0307?\.)+(?:\p{L}\u0307?)?$/u.test(piece)) return piece.toUpperCase()
  // The one letter of Dutch, as in "IJsbrand"; in "Ijaz" and "Ijeoma" they are two.
  if (/^ij(?:[bcdfgkmnprstvz]|lst)/.test(piece)) return `IJ${piece.slice(2)}`
  if (/^mc\p{L}{2,}/u.test(piece)) return `Mc${capital(piece.slice(2))}`
  if (piece.startsWith('mac') && namesAfterMac.has(piece.slice(3))) return `Mac${capital(piece.slice(3))}`
  return capital(piece)
}
