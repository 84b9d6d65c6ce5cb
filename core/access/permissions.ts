import type { Actor } from './actor.ts'
import { type UserType, userTypes } from './user-types.ts'

/**
 * The permission table: which staff types may do what (spec 3, section 6). Screens, API and CLI consult it through the use cases.
 * It does not decide whose data: every query is also limited to the acting publisher.
 */
export const permissions = {
  'dashboard:read': ['publisher', 'pubadmin'],
  'circulation:read': ['publisher', 'pubadmin'],
  /** Hiding the list of first steps, and marking the storefront as shared. */
  'first-run:write': ['publisher', 'pubadmin'],
  'publication:list': ['publisher', 'pubadmin', 'admin', 'mailer'],
  'publication:read': ['publisher', 'pubadmin'],
  'publication:write': ['publisher', 'pubadmin'],
  /** The keys of programs that check a publication's readers, and the apps that log them in. */
  'api-key:write': ['publisher', 'pubadmin'],
  /** Webhooks: where events are sent, with which secret, and the outcome of each delivery. */
  'webhook:write': ['publisher', 'pubadmin'],
  /** Files that are fetched from servers and uploaded to them: where, when, and the result of each. */
  'transfer:write': ['publisher', 'pubadmin'],
  /** Keys by which a user's own scripts call the API. */
  'script-key:write': ['publisher', 'pubadmin', 'admin', 'mailer'],
  'back-issue:read': ['publisher', 'pubadmin'],
  'back-issue:write': ['publisher', 'pubadmin'],
  'promo:read': ['publisher', 'pubadmin'],
  'promo:write': ['publisher', 'pubadmin'],
  'reader:read': ['publisher', 'pubadmin', 'admin'],
  'reader:write': ['publisher', 'pubadmin', 'admin'],
  'reader:import': ['publisher', 'pubadmin'],
  'reader:export': ['publisher', 'pubadmin'],
  'mailing-file:make': ['publisher', 'pubadmin', 'mailer'],
  'mailing-layout:read': ['publisher', 'pubadmin', 'mailer'],
  'mailing-layout:write': ['publisher', 'pubadmin'],
  'order:read': ['publisher', 'pubadmin'],
  /** Test orders in the preview of a storefront. */
  'order:test': ['publisher', 'pubadmin'],
  /** Entering orders that came by phone or post. */
  'order:add': ['publisher', 'pubadmin'],
  /** Payments of invoices, write-offs, and when invoices are due. */
  'invoice:write': ['publisher', 'pubadmin'],
  /** The emails to readers, exactly as they were sent. */
  'mail:read': ['publisher', 'pubadmin'],
  /** The sender of emails to readers: name, address and reply-to address. */
  'sender:write': ['publisher', 'pubadmin'],
  /** Resending an email to a reader. */
  'mail:resend': ['publisher', 'pubadmin'],
  /** Sending an order's emails to its buyer again. */
  'order:mail': ['publisher', 'pubadmin'],
  /** Journals for the bookkeeping, and the account codes in them. */
  'ledger:journal': ['publisher', 'pubadmin'],
  /** Closing a month of the ledger, and choosing who gets its monthly pack by email. */
  'ledger:close': ['publisher', 'pubadmin'],
  /** Importing the amounts owed for subscriptions that another system sold, and undoing the import. */
  'ledger:opening': ['publisher', 'pubadmin'],
  /** Reopening a closed month: figures that were already reported change. */
  'ledger:reopen': ['publisher'],
  /** Reports of payment providers, and matching them to orders. */
  'ledger:reconcile': ['publisher', 'pubadmin'],
  /** VAT: its rates and settings, and the report of a quarter. */
  'ledger:vat': ['publisher', 'pubadmin'],
  /** Refunding a buyer. */
  'order:refund': ['publisher', 'pubadmin'],
  /** What a title refunds, and whether its staff may refund more. */
  'refund:policy': ['publisher'],
  /** Comparing the stored totals of the ledger with its entries, and rebuilding them. */
  'ledger:verify': ['publisher', 'pubadmin'],
  /** Automatic renewals: upcoming ones, failed ones, and their results. */
  'renewal:read': ['publisher', 'pubadmin'],
  /** Charging a renewal again, stopping it, and deciding what renewals cost. */
  'renewal:charge': ['publisher', 'pubadmin'],
  /** How often a declined renewal is charged again, and how long a subscription waits for it. */
  'renewal:settings': ['publisher', 'pubadmin'],
  'user:read': ['superuser', 'reseller', 'publisher', 'pubadmin'],
  'user:write': ['superuser', 'reseller', 'publisher', 'pubadmin'],
  /** Every user of the installation. */
  'user:read-all': ['superuser'],
  /** The testimonials of publishers on the landing page. */
  'testimonial:write': ['superuser'],
  /** Paid sign-ups that did not become a publisher: registering them manually, and refunding them. */
  'sign-up:settle': ['superuser'],
  'publisher:list': ['superuser', 'reseller'],
  'publisher:write': ['superuser', 'reseller'],
  /** One's own account: every staff type has one. */
  'account:read': userTypes,
  'account:write': userTypes,
  /** The publisher's payment credentials (spec 3, section 6). */
  'payee:write': ['publisher'],
  'payee:read': ['publisher', 'pubadmin'],
  /** The publisher's own plan: its price, its payment, changing and ending it. Only the publisher may do so. */
  'plan:write': ['publisher'],
  /** The notice that the plan is unpaid, ends soon or has ended. */
  'plan:notice': ['publisher', 'pubadmin'],
  'audit:read': ['superuser', 'publisher', 'pubadmin'],
  /** The worker and the command line alone: no staff type has it. */
  'machine:operate': [],
} as const satisfies Record<string, readonly UserType[]>

export type Permission = keyof typeof permissions

/** What a key for scripts lets its user's programs do: a subset of what the user may do. */
export const scriptScopes = ['read', 'import', 'export'] as const
export type ScriptScope = (typeof scriptScopes)[number]

/** The permissions of each scope. A permission that is in no scope is not available to scripts: it needs the token of a log-in. */
const scopePermissions: Record<ScriptScope, readonly Permission[]> = {
  read: [
    'publication:list',
    'publication:read',
    'back-issue:read',
    'promo:read',
    'reader:read',
    'order:read',
    'dashboard:read',
    'circulation:read',
    'renewal:read',
    'mailing-layout:read',
  ],
  import: ['publication:list', 'reader:import'],
  export: ['publication:list', 'mailing-layout:read', 'reader:export', 'mailing-file:make'],
}

/** What a key of a publication lets a partner's program do. */
export const partnerScopes = ['check', 'entitlement'] as const
export type PartnerScope = (typeof partnerScopes)[number]

/**
 * What a use case requires of its caller: a permission of the table, an account on a storefront (`buyer`), a key with a scope, or nothing (`public`).
 */
export type Access = Permission | `partner:${PartnerScope}` | 'buyer' | 'public'

export function can(actor: Actor, permission: Access): boolean {
  if (permission === 'public') return true
  if (permission === 'buyer') return actor.kind === 'buyer'
  if (isPartnerAccess(permission)) {
    return actor.kind === 'partner' && actor.scopes.some((scope) => permission === `partner:${scope}`)
  }
  if (actor.kind === 'operator' || actor.kind === 'system') return true
  if (actor.kind !== 'staff' || !(permissions[permission] as readonly UserType[]).includes(actor.userType)) return false
  return actor.scopes === undefined || actor.scopes.some((scope) => scopePermissions[scope].includes(permission))
}

function isPartnerAccess(permission: Access): permission is `partner:${PartnerScope}` {
  return permission.startsWith('partner:')
}
