/** The months and title in the address of a schedule; empty parameters are left out. */
export function scheduleQuery(request: Request): { publicationId?: string; from?: string; until?: string } {
  const params = new URL(request.url).searchParams
  const value = (name: string) => params.get(name)?.trim() || undefined
  const publicationId = value('publication')
  const from = value('from')
  const until = value('until')
  return { ...(publicationId && { publicationId }), ...(from && { from }), ...(until && { until }) }
}
