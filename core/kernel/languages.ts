/** The languages of the storefronts, English first. */
export const languages = ['en', 'fr', 'de', 'es', 'it', 'nl', 'pt'] as const
export type Language = (typeof languages)[number]

/** Each language's own name, as a language switch shows it. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  fr: 'Français',
  de: 'Deutsch',
  es: 'Español',
  it: 'Italiano',
  nl: 'Nederlands',
  pt: 'Português',
}

/** The locale by which each language writes money, days and numbers. */
export const locales: Record<Language, string> = {
  en: 'en-GB',
  fr: 'fr-FR',
  de: 'de-DE',
  es: 'es-ES',
  it: 'it-IT',
  nl: 'nl-NL',
  pt: 'pt-PT',
}

export function isLanguage(text: string | null | undefined): text is Language {
  return (languages as readonly string[]).includes(text ?? '')
}
