import { type PostalAddress, postalLines } from '#core/kernel/postal-address.ts'
import { useT } from '../../i18n/use-t.tsx'

/** An address as on an envelope. The country's name comes from the server, because browsers may use another: "Turkey" or "Türkiye". */
export function AddressLines({ address }: { address: PostalAddress }) {
  const { language } = useT()
  return (
    <address suppressHydrationWarning className="text-input wrap-anywhere whitespace-pre-line not-italic">
      {postalLines(address, language).join('\n')}
    </address>
  )
}
