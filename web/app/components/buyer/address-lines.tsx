import { countryName } from '#core/kernel/countries.ts'
import type { PostalAddress } from '#core/kernel/postal-address.ts'

/** An address as it stands on an envelope. */
export function AddressLines({ address }: { address: PostalAddress }) {
  const { companyName, addressOne, addressTwo, addressThree, city, state, postCode, country } = address
  const name = [address.title, address.firstName, address.lastName].filter(Boolean).join(' ')
  const lines = [
    name,
    companyName,
    addressOne,
    addressTwo,
    addressThree,
    city,
    state,
    postCode,
    countryName(country),
  ].filter(Boolean)
  return <address className="text-input wrap-anywhere whitespace-pre-line not-italic">{lines.join('\n')}</address>
}
