/** The months and title in the address of a schedule; empty parameters are left out. */
export function scheduleQuery(request: Request): { publicationId?: string; from?: string; until?: string } {
  const params = new URL(request.url).searchParams
  const value = (name: string) => params.get(name)?.trim() || undefined
  const [publicationId, from, until] = [value('publication'), value('from'), value('until')]
  return { ...(publicationId && { publicationId }), ...(from && { from }), ...(until && { until }) }
}
