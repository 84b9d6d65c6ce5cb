import { createContext, useContext } from 'react'

/** The URL at which the forms below look up the addresses of a British postcode; null if addresses are typed. Provided once per frame. */
export const AddressLookUp = createContext<string | null>(null)

export function useAddressLookUp(): string | null {
  return useContext(AddressLookUp)
}
