import { createContext, useContext } from 'react'

/**
 * Where the pages inside look up the addresses of a British postcode; null where addresses are entered by hand. A frame says it once for
 * all forms in it.
 */
export const AddressLookUp = createContext<string | null>(null)

export function useAddressLookUp(): string | null {
  return useContext(AddressLookUp)
}
