import { type PostalAddress, postalLines } from '#core/kernel/postal-address.ts'
import { useT } from '../../i18n/use-t.tsx'

/** An address as it stands on an envelope. A browser may know a country by another name than the server: "Turkey" or "Türkiye". */
export function AddressLines({ address }: { address: PostalAddress }) {
  const { language } = useT()
  return (
    <address suppressHydrationWarning className="text-input wrap-anywhere whitespace-pre-line not-italic">
      {postalLines(address, language).join('\n')}
    </address>
  )
}
