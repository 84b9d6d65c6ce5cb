import { createContext, useContext } from 'react'

/** The address that looks up a British postcode for the forms below; null where addresses are typed. Provided once per frame. */
export const AddressLookUp = createContext<string | null>(null)

export function useAddressLookUp(): string | null {
  return useContext(AddressLookUp)
}
