import { type Language, languageNames, languages } from '#core/kernel/languages.ts'

/** The languages an email text can be written for; '' stands for all languages that have no text of their own. */
export const textLanguages: readonly { value: Language | ''; text: string }[] = [
  { value: '', text: 'All languages' },
  ...languages.map((value) => ({ value, text: languageNames[value] })),
]

/** The two emails whose editors have an address and labels of their own in the specification. */
const specifiedEmails: Record<string, { path: string; button: string; saved: string; field: string }> = {
  'order-receipt': {
    path: '/purchasereceipt',
    button: 'Update Receipt Text',
    saved: 'Purchase Receipt text',
    field: 'Receipt Text',
  },
  'renewal-reminder': {
    path: '/renewalreceipt',
    button: 'Update Renewal Template',
    saved: 'Renewal Email text',
    field: 'Renewal Text',
  },
}

/** The editor's labels and confirmation for an email. */
export function editorTexts(name: string, title: string): { button: string; saved: string; field: string } {
  return specifiedEmails[name] ?? { button: 'Update text', saved: `${title} text`, field: 'Text' }
}

/** The address of an email's editor. */
export function editorPath(publicationId: number, name: string): string {
  const { path } = specifiedEmails[name] ?? {}
  return path ? `${path}/${publicationId}` : `/emailtemplates/${publicationId}/${name}`
}

/** The name of the email that is edited at an address. */
export function mailAt(pathname: string, param: string | undefined): string {
  const specified = Object.entries(specifiedEmails).find(([, { path }]) => pathname.startsWith(`${path}/`))
  return specified?.[0] ?? param ?? ''
}
