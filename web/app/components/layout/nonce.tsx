import { createContext, useContext } from 'react'

/** The CSP nonce while the server renders. The browser does not need it: it hides the attribute and trusts what trusted scripts load. */
export const Nonce = createContext<string | undefined>(undefined)

export function useNonce(): string | undefined {
  return useContext(Nonce)
}
