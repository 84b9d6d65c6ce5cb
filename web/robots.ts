import type { RequestHandler } from 'express'

/** The first words of what is nobody's to find: the back office, programs, what follows an order. Held against the routes by a test. */
const hidden =
  `account addbackIssue addpromo addpublication addpublisher addreader adduser api backIssues browser-faults circulation dashboard demo-bank dev downloads
  editBackIssue editpromo editpublication editreader edituser emailtemplates forgot invoices login logout mailingfile mailinglayouts
  managedata neworder ordercancel orderDetails ordersuccess payments promocodes publications publishers purchasereceipt readers
  renewalreceipt renewals searchreaders signups slogin testimonials testst thirdparty uploadaddandcombine uploadadditional uploadpostcodes uploadreplacement
  users webhooks`.split(/\s+/)

/** What belongs to one reader below a storefront's own address. */
const hiddenBelow = ['account', 'addresses', 'forgot', 'login', 'logout', 'order', 'renew', 'view']

/** A word ends with the address, a slash or a query, so that /users hides and the storefront /users-weekly does not. */
const endings = ['$', '/', '?']

/** Tells search engines what not to ask for, and where the list of storefronts is. */
export function robots({ settings: { appUrl } }: { settings: { appUrl: string } }): RequestHandler {
  const paths = [...hidden.map((word) => `/${word}`), ...hiddenBelow.map((word) => `/*/${word}`)]
  const text = [
    'User-agent: *',
    ...paths.flatMap((path) => endings.map((ending) => `Disallow: ${path}${ending}`)),
    'Disallow: /reset',
    '',
    `Sitemap: ${appUrl}/sitemap.xml`,
    '',
  ].join('\n')
  return (_, response) => {
    response.set('Cache-Control', 'public, max-age=3600').type('text').send(text)
  }
}
