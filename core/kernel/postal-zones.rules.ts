/** The postal zone of a copy, seen from the United Kingdom. Not the price bands: Norway pays in dollars and is posted as Europe. */
export const postalZones = ['uk', 'europe', 'world'] as const
export type PostalZone = (typeof postalZones)[number]

export const postalZoneNames: Record<PostalZone, string> = {
  uk: 'United Kingdom',
  europe: 'Europe',
  world: 'Rest of the world',
}

/** The Crown dependencies are posted at inland rates. */
const inland = new Set(['GB', 'JE', 'GG', 'IM'])

/** Royal Mail's Europe: the continent with its islands, Turkey and the Caucasus, whatever the currency. */
const european = new Set(
  (
    'AD AL AM AT AX AZ BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GE GI GL GR HR HU IE IS IT KZ LI LT LU LV MC MD ME MK MT NL NO PL PT ' +
    'RO RS RU SE SI SJ SK SM TR UA VA XK'
  ).split(' '),
)

/** The zone of a country code. */
export function postalZone(country: string): PostalZone {
  return inland.has(country) ? 'uk' : european.has(country) ? 'europe' : 'world'
}

/** One digit that sorts the zones in the order mailing houses use. */
export const zoneDigits: Record<PostalZone, string> = { uk: '1', europe: '2', world: '3' }

/** The zone of a digit. */
export const zoneOfDigit: ReadonlyMap<string, PostalZone> = new Map(postalZones.map((zone) => [zoneDigits[zone], zone]))

/** The names of the zones that people and other programs use. */
const zoneAliases: Record<string, PostalZone> = { eu: 'europe', row: 'world', rw: 'world', gb: 'uk' }

/** A zone by a usual name; undefined for an unknown one. */
export function findZone(word: string): PostalZone | undefined {
  const key = word.trim().toLowerCase()
  return postalZones.find((zone) => zone === key) ?? zoneAliases[key]
}
