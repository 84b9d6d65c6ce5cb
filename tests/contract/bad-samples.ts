/** A request that a call refuses: a valid one with something wrong in it. */
export interface BadSample {
  /** Fields replacing those of the valid sample; undefined omits one. */
  body?: Record<string, unknown>
  /** A body of another type. */
  rawBody?: string
  /** Path values replacing the valid ones. */
  path?: Record<string, string>
  query?: string
  status: number
  /** The message for each wrong field, or for the request as a whole under `message`. */
  expectedBody: Record<string, string>
}

const required = 'Required'
const noPublication = { body: { publicationID: undefined }, status: 422, expectedBody: { publicationID: required } }
const noSignature = { status: 400, expectedBody: { message: 'The signature of this message is wrong or too old' } }
const noProof = { status: 401, expectedBody: { message: 'The sender of this message could not be verified' } }
const noPicture = {
  rawBody: 'cover.jpg',
  status: 400,
  expectedBody: { message: 'The body must be multipart/form-data with the picture in its field "image"' },
}
const noAddress = {
  body: { billingAddressOne: undefined, billingCity: undefined, billingPostcode: undefined },
  status: 422,
  expectedBody: { billingAddressOne: required, billingCity: required, billingPostcode: required },
}
const unknownToken = {
  path: { token: 'nonsense' },
  status: 422,
  expectedBody: {
    token:
      "The token you have provided is either incorrect or has expired. Please try again if you'd like to continue with your password reset",
  },
}

/**
 * One bad request for each call, by its name in the tables. Calls that take only ids are made with an unknown one, lists with an
 * unknown filter, and those without parameters without a token: these need no row.
 */
export const badSamples: Record<string, BadSample> = {
  'POST /emails/resend/{id}': {
    body: { key: 'x' },
    status: 422,
    expectedBody: { key: 'Must be 8 to 64 letters, digits, “-” and “_”' },
  },
  'POST /emails/sender': {
    body: { senderName: 'support@bank.test', address: 'readers' },
    status: 422,
    expectedBody: {
      senderName: 'Must be a name without @, <, > or quotation marks',
      address: 'Must be an email address',
    },
  },
  'POST /users/login': { body: { password: undefined }, status: 422, expectedBody: { password: required } },
  'POST /users/slogin': { body: { email: 7 }, status: 422, expectedBody: { email: 'Must be text' } },
  'POST /users/forgot': {
    body: { email: '' },
    status: 422,
    expectedBody: { email: 'Enter the email you log in with' },
  },
  'POST /users/reset/{token}': unknownToken,
  'POST /users/v2/promocode/check/': { body: { pattern: null }, status: 422, expectedBody: { pattern: required } },
  'POST /users/v2/subscribe/': {
    body: { price_type: 'NONE' },
    status: 422,
    expectedBody: { price_type: 'Must be VAT or TAXFREE' },
  },
  'POST /users/v2/register/': {
    body: { email: 'nobody' },
    status: 422,
    expectedBody: { email: 'Invalid email address' },
  },
  'POST /users/register': {
    body: { country: 'Atlantis' },
    status: 422,
    expectedBody: { country: 'Must be the two-letter code of a country, such as GB' },
  },
  'POST /users/': {
    body: { mainCurrency: 'YEN' },
    status: 422,
    expectedBody: { mainCurrency: 'Choose GBP, USD or EUR' },
  },
  'GET /users/email/{email}': {
    path: { email: 'nobody' },
    status: 422,
    expectedBody: { email: 'Invalid email address' },
  },
  'POST /users/adduser': {
    body: { userType: 'king' },
    status: 422,
    expectedBody: { userType: 'Must be one of superuser, reseller, publisher, pubadmin, admin, mailer' },
  },
  'POST /users/updateuser': { body: { firstName: '' }, status: 422, expectedBody: { firstName: required } },
  'POST /users/addpublisher': {
    body: { numberOfPublications: 'lots' },
    status: 422,
    expectedBody: { numberOfPublications: 'Enter a whole number' },
  },
  'GET /publication/getpublicationbyurl/{urlKey}': {
    path: { urlKey: 'no-such-shop' },
    status: 404,
    expectedBody: { message: 'This publication was not found. Check the address you were given.' },
  },
  'GET /publication/checkurlkey/{urlKey}': {
    path: { urlKey: 'No Good!' },
    status: 422,
    expectedBody: { urlKey: 'Only alphanumeric characters, underscores and hyphens allowed' },
  },
  'POST /publication': {
    body: { publicationName: null, emailAddress: 'nobody' },
    status: 422,
    expectedBody: { publicationName: required, emailAddress: 'Invalid email address' },
  },
  'POST /publication/updatepublication': {
    body: { publicationPerYear: 0 },
    status: 422,
    expectedBody: { publicationPerYear: 'Must be from 1 to 366' },
  },
  'POST /publication/updatereceipttext': {
    body: { receiptText: undefined },
    status: 422,
    expectedBody: { receiptText: required },
  },
  'POST /publication/updaterenewaltext': {
    body: { receiptText: null },
    status: 422,
    expectedBody: { receiptText: required },
  },
  'POST /publication/promo': {
    body: { discount: 0 },
    status: 422,
    expectedBody: { discount: 'Must be from 1 to 100' },
  },
  'POST /publication/updatepromo': { body: { uses: 'many' }, status: 422, expectedBody: { uses: 'Must be a number' } },
  'POST /publication/promo/getpromo': { body: { code: undefined }, status: 422, expectedBody: { code: required } },
  'POST /publication/image/{id}': noPicture,
  'POST /publication/logo/{id}': noPicture,
  'POST /publication/uploadimage': noPicture,
  'POST /publication/uploadlogo': noPicture,
  'POST /backIssue/uploadCover': noPicture,
  'POST /backIssue/coverImg/{id}': noPicture,
  'POST /backIssue/': {
    body: { price: 'free' },
    status: 422,
    expectedBody: { price: 'Must be an amount such as 29.99' },
  },
  'POST /backIssue/updatebackIssue': {
    body: { stock: -1 },
    status: 422,
    expectedBody: { stock: 'Must be from 0 to 1,000,000' },
  },
  'POST /order/createOrder': noAddress,
  'POST /order/createSTOrder': noAddress,
  'POST /order/createBackIssueOrder': {
    body: { backIssues: [] },
    status: 422,
    expectedBody: { backIssues: 'Choose at least one issue' },
  },
  'POST /order/paymentintent/card/': {
    body: { email: 'nobody' },
    status: 422,
    expectedBody: { email: 'Invalid email address' },
  },
  'POST /order/paymentintent/bacs/': {
    body: { checkboxSelection: '' },
    status: 422,
    expectedBody: { checkboxSelection: required },
  },
  'POST /order/refund/{id}': {
    // Ignored, `way` would send back money that a program of an earlier version means to keep as credit.
    body: { scope: 'amount', amount: '0.01', way: 'credit' },
    status: 422,
    expectedBody: { way: 'This field is now called method.' },
  },
  'POST /order/posted': {
    body: { orderIds: [] },
    status: 422,
    expectedBody: { orderIds: 'Choose at least one order' },
  },
  'POST /order/cancelOrder': {
    body: { key: 'nonsense' },
    status: 404,
    expectedBody: { message: 'The order was not found' },
  },
  'POST /order/buyerlogin': noPublication,
  'POST /order/forgot': {
    body: { email: null },
    status: 422,
    expectedBody: { email: 'Enter the email you log in with' },
  },
  'POST /order/reset/{token}': unknownToken,
  'GET /order/email/{email}/{publicationID}': {
    path: { email: 'nobody' },
    status: 422,
    expectedBody: { email: 'Invalid email address' },
  },
  'POST /order/buyer/address': {
    body: { shippingPostcode: null },
    status: 422,
    expectedBody: { shippingPostcode: required },
  },
  'POST /order/contactme': { body: { message: undefined }, status: 422, expectedBody: { message: required } },
  'GET /thirdparty/postcodelookup/{postcode}': {
    path: { postcode: 'nonsense' },
    status: 422,
    expectedBody: { postcode: 'Enter a UK postcode, such as SW1A 1AA', Message: 'Bad Request' },
  },
  'POST /thirdparty/checksubscriber': {
    body: { key: undefined, email: undefined, password: '' },
    status: 422,
    expectedBody: { key: required, email: required, password: required },
  },
  'POST /thirdparty/oauth/token': {
    body: { code: 'nonsense' },
    status: 400,
    expectedBody: {
      error: 'invalid_grant',
      error_description: 'The code is wrong, has been used, is older than a minute, or was issued for another request',
      message: 'The code is wrong, has been used, is older than a minute, or was issued for another request',
    },
  },
  'POST /thirdparty/oauth/revoke': { body: { token: 7 }, status: 422, expectedBody: { token: 'Must be text' } },
  'POST /thirdparty/oauth/introspect': { body: { token: undefined }, status: 422, expectedBody: { token: required } },
  'POST /thirdparty/entitlement': { body: { email: 7 }, status: 422, expectedBody: { email: 'Must be text' } },
  'POST /thirdparty/webhooks': {
    body: { url: 'http://hooks.example.com/in' },
    status: 422,
    expectedBody: { url: 'Must begin with https://' },
  },
  'POST /thirdparty/webhooks/{id}': {
    body: { events: [] },
    status: 422,
    expectedBody: { events: 'Choose at least one event' },
  },
  'POST /thirdparty/webhooks/{id}/replay': {
    body: { delivery: 'all' },
    status: 422,
    expectedBody: { delivery: 'Must be a number' },
  },
  'POST /subscriber': {
    body: { type: 'paper', sd: undefined, ed: '31-05-1969' },
    status: 422,
    expectedBody: { type: 'Must be print, digital or bundle', ed: 'Must not be before 01/01/1970' },
  },
  'POST /subscriber/update': {
    body: { subType: 'paper' },
    status: 422,
    expectedBody: { subType: 'Must be print, digital or bundle' },
  },
  'POST /subscriber/search': {
    body: { lastname: 'Lee' },
    status: 422,
    expectedBody: { lastname: 'There is no such parameter. Did you mean “lastName”?' },
  },
  'POST /subscriber/uploadadditional': {
    body: { csvdata: 'rows' },
    status: 422,
    expectedBody: { csvdata: 'Send the rows as a list of objects' },
  },
  'POST /subscriber/uploadreplace': {
    query: 'dryrun=true',
    status: 422,
    expectedBody: { dryrun: 'There is no such parameter. Did you mean “dryRun”?' },
  },
  'POST /subscriber/uploadpostcodes': {
    body: { csvdata: [] },
    status: 422,
    expectedBody: { csvdata: 'Send at least one row' },
  },
  'POST /subscriber/removepostcodes': {
    body: { publicationID: undefined },
    status: 422,
    expectedBody: { publicationID: 'Specify the publication by its id or handle' },
  },
  'POST /subscriber/mailinglayout': {
    body: { columns: [{ column: 'Shoe size' }] },
    status: 422,
    expectedBody: { 'columns.0.column': 'Must be one of the columns that /api/docs lists for this call' },
  },
  'POST /subscriber/previewmailinglayout': {
    body: { columns: undefined },
    status: 422,
    expectedBody: { columns: required },
  },
  'POST /subscriber/findlikelyduplicates': noPublication,
  'POST /subscriber/stoplikelyduplicates': noPublication,
  'POST /subscriber/keepreadersapart': { body: { group: null }, status: 422, expectedBody: { group: required } },
  'POST /subscriber/mergereaders': {
    body: { readers: 'all' },
    status: 422,
    expectedBody: { readers: 'Must be a list' },
  },
  'POST /subscriber/mergelikelyduplicates': {
    body: { minConfidence: 2 },
    status: 422,
    expectedBody: { minConfidence: 'Must be 1 or less' },
  },
  'GET /subscriber/mailinglayout/{pubId}/{name}': {
    path: { name: 'Nobody’s' },
    status: 404,
    expectedBody: { message: 'The mailing layout "Nobody’s" was not found. Available layouts: Standard.' },
  },
  'POST /webhooks/stripe': noSignature,
  'POST /webhooks/stripe/{publisher}': noSignature,
  'POST /webhooks/paypal/{publisher}': noSignature,
  'POST /webhooks/secure-trading/{publisher}': noSignature,
  'POST /webhooks/mail/message': noProof,
  'POST /webhooks/mail/ses': noProof,
  'POST /webhooks/mail/postmark': noProof,
  'POST /webhooks/mail/mailgun': noProof,
}
