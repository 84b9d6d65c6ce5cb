import { useNavigate, useSearchParams } from '@remix-run/react'

/** Loads the page for another country. What was typed is kept, and so are a chosen language and an applied promo code. */
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
