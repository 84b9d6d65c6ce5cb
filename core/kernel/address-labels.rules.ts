/** The labels of the parts of an address in a country. The texts are English and keys of the translations. */
export interface AddressLabels {
  postCode: 'Postcode' | 'ZIP code' | 'Postal code' | 'Eircode'
  /** The part between town and country, where addresses have one; null where it is not used. */
  state: { label: 'State' | 'Province' | 'Prefecture'; isRequired: boolean } | null
}

const zipCountries = new Set('US AS GU MP PR VI FM MH PW PH'.split(' '))
const postalCodeCountries = new Set('CA JP CN SG BR MX'.split(' '))
const states = new Set('US AU BR IN MX MY FM'.split(' '))
const provinces = new Set('CA CN'.split(' '))

export function addressLabels(country: string): AddressLabels {
  return { postCode: postCodeLabel(country), state: stateOf(country) }
}

function postCodeLabel(country: string): AddressLabels['postCode'] {
  if (zipCountries.has(country)) return 'ZIP code'
  if (country === 'IE') return 'Eircode'
  return postalCodeCountries.has(country) ? 'Postal code' : 'Postcode'
}

/** Mail to the United States needs a state; elsewhere it helps. */
function stateOf(country: string): AddressLabels['state'] {
  if (states.has(country)) return { label: 'State', isRequired: country === 'US' }
  if (provinces.has(country)) return { label: 'Province', isRequired: false }
  return country === 'JP' ? { label: 'Prefecture', isRequired: false } : null
}
