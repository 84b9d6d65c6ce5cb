import type { AppLoadContext } from '@remix-run/node'

/**
 * A cookie's name: over https with the __Host- prefix, which binds it to this host. Browsers accept that only with Path=/; a cookie for
 * another path gets __Secure-.
 */
function cookieName(context: Pick<AppLoadContext, 'isSecure'>, name: string, path: string): string {
  if (!context.isSecure) return `masthead-${name}`
  return `${path === '/' ? '__Host-' : '__Secure-'}masthead-${name}`
}

/** A Set-Cookie header: HttpOnly and SameSite=Lax always, Secure over https. `maxAge` in seconds; 0 deletes the cookie. */
export function setCookie(
  context: Pick<AppLoadContext, 'isSecure'>,
  name: string,
  value: string,
  maxAge: number,
  path = '/',
): string {
  const parts = [
    `${cookieName(context, name, path)}=${encodeURIComponent(value)}`,
    `Path=${path}`,
    'HttpOnly',
    'SameSite=Lax',
    `Max-Age=${maxAge}`,
  ]
  if (context.isSecure) parts.push('Secure')
  return parts.join('; ')
}

/** The value of one of our cookies, or undefined. */
export function readCookie(
  request: Request,
  context: Pick<AppLoadContext, 'isSecure'>,
  name: string,
  path = '/',
): string | undefined {
  const fullName = cookieName(context, name, path)
  for (const part of (request.headers.get('Cookie') ?? '').split(';')) {
    const split = part.indexOf('=')
    if (part.slice(0, split).trim() !== fullName) continue
    try {
      return decodeURIComponent(part.slice(split + 1).trim())
    } catch {
      return undefined
    }
  }
  return undefined
}
