import { type Language, languageNames, languages } from '#core/kernel/languages.ts'

/** What staff call a language of texts; '' is every one that has no text of its own. */
export const textLanguages: readonly { value: Language | ''; text: string }[] = [
  { value: '', text: 'All languages' },
  ...languages.map((value) => ({ value, text: languageNames[value] })),
]

/** Two mails have addresses and words of their own in the specification. */
const named: Record<string, { path: string; button: string; saved: string; field: string }> = {
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

/** How the editor of a mail speaks of it. */
export function editorWords(name: string, title: string): { button: string; saved: string; field: string } {
  return named[name] ?? { button: 'Update text', saved: `${title} text`, field: 'Text' }
}

/** The address of a mail's editor. */
export function editorPath(publicationId: number, name: string): string {
  const { path } = named[name] ?? {}
  return path ? `${path}/${publicationId}` : `/emailtemplates/${publicationId}/${name}`
}

/** The mail that an editor's address is about. */
export function mailAt(pathname: string, param: string | undefined): string {
  const found = Object.entries(named).find(([, { path }]) => pathname.startsWith(`${path}/`))
  return found?.[0] ?? param ?? ''
}
