import { parseUkPostCode } from '../kernel/uk-postcode.rules.ts'

export type AddressState = 'ok' | 'queried'

interface AddressLines {
  addressOne: string
  addressTwo: string
  addressThree: string
  addressFour: string
  city: string
}

/**
 * Whether the parts of an address are in the right fields. Queried: a gap between lines, several parts in one line, a house number
 * alone on a line, a postcode or the town in a line. No address at all is not a format problem, nor is a flat with its house on one line,
 * as the Postcode Address File prints it: "Flat 1, Holly House".
 */
export function addressState(address: AddressLines): AddressState {
  const { addressOne, addressTwo, addressThree, addressFour, city } = address
  if (addressFour !== '' && (addressThree === '' || addressTwo === '' || addressOne === '')) return 'queried'
  if (addressThree !== '' && (addressTwo === '' || addressOne === '')) return 'queried'
  if (addressTwo !== '' && addressOne === '') return 'queried'
  return isMisplaced(addressOne, city) ||
    isMisplaced(addressTwo, city) ||
    isMisplaced(addressThree, city) ||
    isMisplaced(addressFour, city)
    ? 'queried'
    : 'ok'
}

function isMisplaced(line: string, city: string): boolean {
  const length = line.length
  if (length === 0) return false
  if (length <= 5 && isDigit(line.charCodeAt(0)) && /^\d+[A-Za-z]?$/.test(line)) return true
  if (line.indexOf(',') > 0 && /\p{L}.*,.*\p{L}{2}/u.test(line) && !isOnePremises(line, city)) return true
  if (length === city.length && line.toLowerCase() === city.toLowerCase()) return true
  return length >= 5 && isDigit(line.charCodeAt(length - 3)) && endsWithPostCode(line)
}

/** What a part of a building is called, in front of its number, letter or name. */
const partOfBuilding =
  /^(?:the )?(?:flats?|fl|apartments?|apts?|units?|suites?|rooms?|studios?|maisonettes?|penthouse|blocks?|floors?|levels?|offices?|shops?|stalls?|plots?|pods?|bays?|wards?|berths?|moorings?|pitch|caravans?|chalets?|lodges?|kiosks?|garages?|hangars?|workshops?|warehouses?|stables?|buildings?|wings?|tower|house|villa|cottage|door|staircase|site|store)\.? (?:[a-z]|[a-z]?\d[\w/.&-]*|[ivx]+|one|two|three|four|five|six|seven|eight|nine|ten)\b/i
/** A storey, or a part that needs no number: "First Floor", "Ground Floor Flat", "Rear of 12". */
const placeInBuilding =
  /^(?:(?:the )?(?:(?:lower|upper|top|ground|basement|garden|attic|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d{1,2}(?:st|nd|rd|th)|front|rear|left|right|hall|main|middle|mezzanine|penthouse|caretakers?|managers?|wardens?|porters?|granny|staff|roof) )+(?:floor|flat|apartment|maisonette|studio|suite|office|unit|level|door|lodge|annexe?)s?(?: (?:flat|front|rear|left|right|office|suite|[a-z]|\d+\w?))*|(?:the )?(?:annexe?|basement|penthouse|maisonette|studio|gatehouse|rear|mezzanine)|(?:at the )?rear of \d*\w*.*)$/i
/** "12A", "2F1", "1/2", "12-14B": how a house or a door is numbered. */
const numbered = /^(?:\d{1,5}[a-z]?(?:[-/]\d{0,5}[a-z]?)?|\d{1,2}[a-z]{1,2}\d{1,2}|[a-z]\d{1,4}|[a-z])$/i

/** A line with one comma: a house number or a part of a building, then the building or the street. */
export function isOnePremises(line: string, city: string): boolean {
  const [part = '', where = '', ...more] = line.split(',').map((piece) => piece.trim())
  if (more.length > 0 || where === '' || where.toLowerCase() === city.toLowerCase()) return false
  return numbered.test(part) || partOfBuilding.test(part) || placeInBuilding.test(part)
}

function endsWithPostCode(line: string): boolean {
  // The number of a British Forces post office is in a line, with its postcode below.
  if (/^bfpo \d+$/i.test(line)) return false
  const words = line.split(' ')
  return parseUkPostCode(words.slice(-2).join('')) !== null || parseUkPostCode(words.at(-1) ?? '') !== null
}

const isDigit = (code: number) => code >= 48 && code <= 57
