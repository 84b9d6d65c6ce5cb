import { useId } from 'react'
import type { StoredText } from '#core/emails/mail-texts.query.ts'
import type { Language } from '#core/kernel/languages.ts'
import { Select } from '../ui/inputs.tsx'
import { textLanguages } from './mail-editor.ts'

/** What to compare with: the text in one language, the text for all languages (`''`), or nothing. */
export type ComparedLanguage = Language | '' | 'none'

interface ComparedTextProps {
  /** The language that is being edited. */
  language: Language | ''
  chosen: ComparedLanguage
  onChoose: (chosen: ComparedLanguage) => void
  texts: readonly StoredText[]
  /** The standard text of each language. */
  standard: Readonly<Record<Language, string>>
}

/** The text of the same email in another language, for reference. */
export function ComparedText({ language, chosen, onChoose, texts, standard }: ComparedTextProps) {
  const id = useId()
  const compared = chosen === 'none' ? null : textFor(chosen, texts, standard)
  return (
    <section aria-labelledby={`${id}-label`} className="card min-w-0 p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <label id={`${id}-label`} htmlFor={id} className="text-h3 font-semibold">
          Compare with
        </label>
        <div className="w-48">
          <Select id={id} value={chosen} onChange={({ target }) => onChoose(target.value as ComparedLanguage)}>
            <option value="none">No other language</option>
            {textLanguages
              .filter(({ value }) => value !== language)
              .map(({ value, text }) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
          </Select>
        </div>
      </div>
      {compared && (
        <div className="mt-3">
          {compared.note && <p className="text-table text-muted">{compared.note}</p>}
          <dl lang={compared.language} className="mt-2 space-y-3 text-body">
            <div>
              <dt lang="en" className="text-table text-muted">
                Subject
              </dt>
              <dd className="wrap-anywhere">{compared.subject || <span lang="en">Standard subject</span>}</dd>
            </div>
            <div>
              <dt lang="en" className="text-table text-muted">
                Text
              </dt>
              <dd className="whitespace-pre-wrap wrap-anywhere">{compared.body || <span lang="en">None</span>}</dd>
            </div>
          </dl>
        </div>
      )}
    </section>
  )
}

/** The text that readers of a language get: the text in their language, else the text for all languages, else the standard text. */
function textFor(language: Language | '', texts: readonly StoredText[], standard: ComparedTextProps['standard']) {
  const specific = texts.find((text) => text.language === language)
  const general = texts.find((text) => text.language === '')
  const standardText = standard[language || 'en']
  const stored = specific ?? general
  return {
    note: specific ? '' : noteOf({ hasGeneral: general !== undefined, hasStandard: standardText !== '' }),
    subject: stored?.subject || '',
    body: stored?.body || standardText,
    // The language of a text for all languages is unknown.
    language: stored ? specific?.language || undefined : language || 'en',
  }
}

function noteOf({ hasGeneral, hasStandard }: { hasGeneral: boolean; hasStandard: boolean }): string {
  if (hasGeneral) return 'There is no text in this language: readers get the text for all languages.'
  return hasStandard
    ? 'The standard text, with sample data.'
    : 'There is no text of your own: readers get only the details.'
}
