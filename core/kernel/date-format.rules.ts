import type { Day } from './dates.ts'
import type { Language } from './languages.ts'

/** A numeric date format: DD/MM/YYYY, MM/DD/YYYY, DD.MM.YYYY. */
export type DateFormat = string

/** The default of each language, where a country has no other. */
export const dateFormats: Record<Language, DateFormat> = {
  en: 'DD/MM/YYYY',
  fr: 'DD/MM/YYYY',
  de: 'DD.MM.YYYY',
  es: 'DD/MM/YYYY',
  it: 'DD/MM/YYYY',
  nl: 'DD-MM-YYYY',
  pt: 'DD/MM/YYYY',
}

const formatCache = new Map<string, DateFormat>()

/**
 * The date format of a language in a country: English days are 11/22/2027 in the United States and 22/11/2027 in Great Britain. Server only:
 * it passes the format to the browser, whose own data may differ, so that both render the same page (no hydration mismatch).
 */
export function dateFormatOf(language: Language, country: string): DateFormat {
  const locale = `${language}-${country}`
  const format = formatCache.get(locale) ?? formatOf(locale) ?? dateFormats[language]
  formatCache.set(locale, format)
  return format
}

const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = { day: 'DD', month: 'MM', year: 'YYYY' }

/** Null for a locale that Node has no data for: its fallback to the language alone would write English days as in the United States. */
function formatOf(locale: string): DateFormat | null {
  const format = new Intl.DateTimeFormat(locale, {
    calendar: 'gregory',
    numberingSystem: 'latn',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    timeZone: 'UTC',
  })
  if (format.resolvedOptions().locale !== locale) return null
  return format
    .formatToParts(0)
    .map(({ type, value }) => parts[type] ?? value)
    .join('')
}

export function formatDayAs(format: DateFormat, day: Day): string {
  const [year = '', month = '', date = ''] = day.split('-')
  return format.replace('YYYY', year).replace('MM', month).replace('DD', date)
}
