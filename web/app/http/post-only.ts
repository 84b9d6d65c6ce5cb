/** The loader of an address that accepts POST only. */
export function postOnly(): Response {
  return new Response(null, { status: 405, headers: { Allow: 'POST' } })
}
