import { landingPage, type UserType, userTypes } from '#core/access/user-types.ts'

interface Screen {
  /** The users who may open it. */
  types: readonly UserType[]
  /** Where all other users are redirected. */
  redirectTo: (userType: UserType) => string
}

const publisherStaff = ['publisher', 'pubadmin'] as const
const sellers: readonly UserType[] = ['superuser', 'reseller']
const toReaders = () => '/readers'

/** The screens behind the log-in: who may open each, and where everybody else is redirected (spec 2 and 3, section 6). */
export const screens = {
  dashboard: { types: publisherStaff, redirectTo: (type) => (sellers.includes(type) ? '/publishers' : '/readers') },
  circulation: { types: publisherStaff, redirectTo: toReaders },
  publications: { types: publisherStaff, redirectTo: toReaders },
  addPublication: { types: publisherStaff, redirectTo: toReaders },
  editPublication: { types: publisherStaff, redirectTo: toReaders },
  preview: { types: publisherStaff, redirectTo: toReaders },
  changeImage: { types: publisherStaff, redirectTo: toReaders },
  backIssues: { types: publisherStaff, redirectTo: () => '/publications' },
  copiesToPost: { types: publisherStaff, redirectTo: toReaders },
  downloadCopiesToPost: { types: publisherStaff, redirectTo: toReaders },
  addBackIssue: { types: publisherStaff, redirectTo: toReaders },
  editBackIssue: { types: publisherStaff, redirectTo: toReaders },
  promoCodes: { types: publisherStaff, redirectTo: toReaders },
  addPromo: { types: publisherStaff, redirectTo: toReaders },
  editPromo: { types: publisherStaff, redirectTo: toReaders },
  emailTemplates: { types: publisherStaff, redirectTo: toReaders },
  scriptKeys: { types: ['publisher', 'pubadmin', 'admin', 'mailer'], redirectTo: landingPage },
  thirdParty: { types: publisherStaff, redirectTo: (type) => (sellers.includes(type) ? '/publishers' : '/readers') },
  sender: { types: publisherStaff, redirectTo: toReaders },
  webhooks: { types: publisherStaff, redirectTo: (type) => (sellers.includes(type) ? '/publishers' : '/readers') },
  webhook: { types: publisherStaff, redirectTo: (type) => (sellers.includes(type) ? '/publishers' : '/readers') },
  mailLog: { types: publisherStaff, redirectTo: toReaders },
  loggedMail: { types: publisherStaff, redirectTo: toReaders },
  users: { types: [...publisherStaff, ...sellers], redirectTo: toReaders },
  addUser: { types: [...publisherStaff, ...sellers], redirectTo: toReaders },
  editUser: { types: [...publisherStaff, ...sellers], redirectTo: toReaders },
  publishers: { types: sellers, redirectTo: landingPage },
  addPublisher: { types: sellers, redirectTo: landingPage },
  account: { types: userTypes, redirectTo: landingPage },
  plan: { types: ['publisher'], redirectTo: landingPage },
  planChange: { types: ['publisher'], redirectTo: landingPage },
  planCard: { types: ['publisher'], redirectTo: landingPage },
  planStart: { types: ['publisher'], redirectTo: landingPage },
  planInvoice: { types: ['publisher'], redirectTo: landingPage },
  twoStep: { types: userTypes, redirectTo: landingPage },
  activity: { types: ['superuser', 'publisher', 'pubadmin'], redirectTo: landingPage },
  readers: { types: ['publisher', 'pubadmin', 'admin', 'mailer'], redirectTo: () => '/publishers' },
  search: { types: ['publisher', 'pubadmin', 'admin'], redirectTo: toReaders },
  searchReaders: { types: ['publisher', 'pubadmin', 'admin'], redirectTo: toReaders },
  addReader: { types: ['publisher', 'pubadmin', 'admin'], redirectTo: toReaders },
  lookUpAddresses: { types: ['publisher', 'pubadmin', 'admin'], redirectTo: toReaders },
  reader: { types: ['publisher', 'pubadmin', 'admin'], redirectTo: toReaders },
  manageData: { types: publisherStaff, redirectTo: (type) => (sellers.includes(type) ? '/publishers' : '/readers') },
  manageDataCounts: {
    types: publisherStaff,
    redirectTo: (type) => (sellers.includes(type) ? '/publishers' : '/readers'),
  },
  likelyDuplicates: {
    types: publisherStaff,
    redirectTo: (type) => (sellers.includes(type) ? '/publishers' : '/readers'),
  },
  upload: { types: publisherStaff, redirectTo: (type) => (sellers.includes(type) ? '/publishers' : '/readers') },
  imports: { types: publisherStaff, redirectTo: (type) => (sellers.includes(type) ? '/publishers' : '/readers') },
  transfers: { types: publisherStaff, redirectTo: (type) => (sellers.includes(type) ? '/publishers' : '/readers') },
  transfer: { types: publisherStaff, redirectTo: (type) => (sellers.includes(type) ? '/publishers' : '/readers') },
  uploadPostcodes: {
    types: publisherStaff,
    redirectTo: (type) => (sellers.includes(type) ? '/publishers' : '/readers'),
  },
  renewals: { types: publisherStaff, redirectTo: toReaders },
  renewalSeries: { types: publisherStaff, redirectTo: toReaders },
  renewalSeriesResults: { types: publisherStaff, redirectTo: toReaders },
  renewalOffers: { types: publisherStaff, redirectTo: toReaders },
  renewalSettings: { types: publisherStaff, redirectTo: toReaders },
  renewalPrices: { types: publisherStaff, redirectTo: toReaders },
  downloadRenewalLetters: { types: publisherStaff, redirectTo: toReaders },
  downloadRenewals: { types: publisherStaff, redirectTo: toReaders },
  payments: { types: publisherStaff, redirectTo: toReaders },
  schedule: { types: publisherStaff, redirectTo: toReaders },
  opening: { types: publisherStaff, redirectTo: toReaders },
  refundPolicy: { types: publisherStaff, redirectTo: toReaders },
  closeMonths: { types: publisherStaff, redirectTo: toReaders },
  monthlyPack: { types: publisherStaff, redirectTo: toReaders },
  reconcile: { types: publisherStaff, redirectTo: toReaders },
  downloadReconciliation: { types: publisherStaff, redirectTo: toReaders },
  vat: { types: publisherStaff, redirectTo: toReaders },
  vatSettings: { types: publisherStaff, redirectTo: toReaders },
  downloadVat: { types: publisherStaff, redirectTo: toReaders },
  downloadSchedule: { types: publisherStaff, redirectTo: toReaders },
  downloadJournal: { types: publisherStaff, redirectTo: toReaders },
  invoices: { types: publisherStaff, redirectTo: toReaders },
  invoice: { types: publisherStaff, redirectTo: toReaders },
  downloadDebtors: { types: publisherStaff, redirectTo: toReaders },
  newOrder: { types: publisherStaff, redirectTo: toReaders },
  orderDetails: { types: publisherStaff, redirectTo: toReaders },
  downloadMailingFile: { types: ['publisher', 'pubadmin', 'mailer'], redirectTo: toReaders },
  downloadCirculation: { types: publisherStaff, redirectTo: toReaders },
  downloadWarning: { types: publisherStaff, redirectTo: toReaders },
  downloadRejects: { types: publisherStaff, redirectTo: toReaders },
  downloadBackup: { types: publisherStaff, redirectTo: toReaders },
  downloadAllReaders: { types: publisherStaff, redirectTo: toReaders },
  mailingFile: { types: ['publisher', 'pubadmin', 'mailer'], redirectTo: toReaders },
  mailingLayouts: { types: publisherStaff, redirectTo: toReaders },
  downloadProgress: { types: userTypes, redirectTo: landingPage },
  testimonials: { types: ['superuser'], redirectTo: landingPage },
  signUps: { types: ['superuser'], redirectTo: landingPage },
  /** The frame around all of them. */
  shell: { types: userTypes, redirectTo: landingPage },
} as const satisfies Record<string, Screen>

export type ScreenName = keyof typeof screens

export function screenAccess(
  name: ScreenName,
  userType: UserType,
): { isAllowed: true } | { isAllowed: false; redirectTo: string } {
  const screen: Screen = screens[name]
  return screen.types.includes(userType)
    ? { isAllowed: true }
    : { isAllowed: false, redirectTo: screen.redirectTo(userType) }
}
