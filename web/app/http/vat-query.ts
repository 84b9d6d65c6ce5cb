/** The period in the address of a VAT report; empty parameters are left out. */
export function vatQuery(request: Request): { quarter?: string; from?: string; until?: string } {
  const params = new URL(request.url).searchParams
  const value = (name: string) => params.get(name)?.trim() || undefined
  const quarter = value('quarter')
  const from = value('from')
  const until = value('until')
  return { ...(quarter && { quarter }), ...(from && { from }), ...(until && { until }) }
}
