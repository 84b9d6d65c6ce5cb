/** The fields that a looked-up address fills. */
export interface AddressParts {
  companyName: string
  addressOne: string
  addressTwo: string
  addressThree: string
  city: string
}

const company = /\b(?:limited|ltd|plc|llp)\b/i

/** Whether the first part of an address names a company: it contains Limited, Ltd, Plc or LLP as a word. */
export function isCompanyName(text: string): boolean {
  return company.test(text)
}

/** The number of address lines in a form. */
const maxLines = 3

/**
 * Splits a looked-up address at its commas: the county is last and is dropped (not needed for delivery), the town is before it, the company
 * first if there is one, the lines between. If there are too many lines, the first ones are joined: "Flat 2 Harbour House".
 */
export function addressParts(address: string): AddressParts {
  const parts = address.split(',').map((part) => part.trim().replaceAll(/\s+/g, ' '))
  const county = parts.length > 2 ? (parts.pop() ?? '') : ''
  const town = parts.length > 1 ? (parts.pop() ?? '') : ''
  const lines = parts.filter((part) => part !== '')
  // A company that is the only line is the delivery address itself.
  const companyName = lines.length > 1 && isCompanyName(lines[0] ?? '') ? (lines.shift() ?? '') : ''
  while (lines.length > maxLines) lines.splice(0, 2, `${lines[0]} ${lines[1]}`)
  const [addressOne = '', addressTwo = '', addressThree = ''] = lines
  return { companyName, addressOne, addressTwo, addressThree, city: town || county }
}

/** One address of lines, town and county as the look-up returns it: at least five parts, so that a parser can rely on their positions. */
export function formatAddress({
  lines,
  town,
  county,
}: {
  lines: readonly string[]
  town: string
  county: string
}): string {
  const parts = lines.map(withoutCommas).filter((line) => line !== '')
  while (parts.length < maxLines) parts.push('')
  return [...parts, withoutCommas(town), withoutCommas(county)].join(', ')
}

/** A comma inside a part would split it in two. */
function withoutCommas(part: string): string {
  return part.replaceAll(/[\s,]+/g, ' ').trim()
}
