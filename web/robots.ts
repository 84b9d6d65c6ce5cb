import type { RequestHandler } from 'express'

/** First path segments that are not to be crawled: the back office, the API, pages after an order. A test compares them with the routes. */
const hidden =
  `account addbackIssue addpromo addpublication addpublisher addreader adduser api backIssues browser-faults circulation dashboard demo-bank dev downloads
  editBackIssue editpromo editpublication editreader edituser emailtemplates forgot invoices login logout mailingfile mailinglayouts maillog
  managedata neworder ordercancel orderDetails ordersuccess payments promocodes publications publishers purchasereceipt readers
  renewalreceipt renewals searchreaders signups slogin testimonials testst thirdparty uploadaddandcombine uploadadditional uploadpostcodes uploadreplacement
  users webhooks`.split(/\s+/)

/** Second path segments below a storefront's handle that belong to one buyer. */
const hiddenBelow = [
  'account',
  'addresses',
  'claim',
  'extend',
  'forgot',
  'login',
  'logout',
  'order',
  'renew',
  'stop',
  'view',
]

/** A segment ends with the path, a slash or a query, so that /users is disallowed and a storefront /users-weekly is not. */
const endings = ['$', '/', '?']

/** Serves robots.txt: what not to crawl, and where the sitemap is. */
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
