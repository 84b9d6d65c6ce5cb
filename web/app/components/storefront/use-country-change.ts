import { useNavigate, useSearchParams } from '@remix-run/react'

/** Shows the page for another country. What is typed stays, and so do a chosen language and a promo code that is applied. */
export function useCountryChange(): (country: string, promoCode?: string | undefined) => void {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return (country, promoCode) => {
    const params = new URLSearchParams({ country })
    const language = search.get('lang')
    if (language) params.set('lang', language)
    if (promoCode) params.set('promo', promoCode)
    navigate(`?${params}`, { replace: true, preventScrollReset: true })
  }
}
