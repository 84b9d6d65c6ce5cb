import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { ListedMail } from '#core/emails/mail-texts.query.ts'
import type { MailPreview } from '#core/emails/preview-mail.ts'
import type { Language } from '#core/kernel/languages.ts'
import { Banner } from '../ui/banner.tsx'
import { LinkButton } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Form, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { TextareaField, TextField } from '../ui/form-fields.tsx'
import { SaveBar } from '../ui/save-bar.tsx'
import { UnsavedGuard } from '../ui/unsaved-guard.tsx'
import { LastChange } from './last-change.tsx'
import { editorTexts } from './mail-editor.ts'
import { MailPreviewPane } from './mail-preview.tsx'
import { PlaceholderButtons } from './placeholder-buttons.tsx'
import { useMailPreview } from './use-mail-preview.ts'

interface MailTextFormProps {
  mail: ListedMail & { placeholders: string[] }
  language: Language | ''
  publicationId: number
  /** The text stored in this language. */
  storedText: { subject: string; body: string }
  /** The version of the stored text, to detect concurrent changes. */
  version: string
  /** Shown above the preview: the text in another language. */
  comparedText: ReactNode
  /** The preview of the stored text. */
  preview: MailPreview
  /** The preview of the typed text, when the page rendered one or sent a sample. */
  rendered: MailPreview | undefined
  /** The newer version that another user has stored since the form was opened, if saving found one. */
  other: OtherText | undefined
  /** The typed text, when the page rendered a preview, sent a sample, or found a newer version. */
  edited: Record<string, string> | undefined
  /** The address a sample was just sent to. */
  sentTo: string | null
  timeZone: string
  problem: Refusal | undefined
  /** Resets the form to the stored text. */
  onDiscard: () => void
}

/** The text of an email, with a preview next to it. */
export function MailTextForm(props: MailTextFormProps) {
  const { mail, language, publicationId, storedText, edited, sentTo, timeZone, problem, other } = props
  // The text the form was opened with: a version loaded later must not count as seen.
  const [opened] = useState(props.version)
  const { button, saved, field } = editorTexts(mail.name, mail.title)
  const isUnsaved = edited && (edited.body !== storedText.body || edited.subject !== storedText.subject)
  const refused = problem?.values?.intent === 'reset' ? undefined : problem?.values
  const form = useForm({
    problem,
    labels: { subject: 'Subject', body: field },
    values: { ...storedText, ...edited },
    hidden: {
      publicationId: String(publicationId),
      mail: mail.name,
      language,
      version: other?.version ?? edited?.version ?? refused?.version ?? opened,
    },
    identifiedBy: { intent: ['save', 'sample', 'preview'] },
    failure: `${saved} not updated`,
    isRestorable: true,
    // After a preview without JavaScript or a test email, the typed text is still unsaved. Otherwise the form compares what is typed from now on.
    ...(isUnsaved ? { isChanged: true } : {}),
  })
  const { preview, isStale, onTyped } = useMailPreview(props.preview, props.rendered)
  const stored = mail.texts.filter((text) => text.language === language)
  return (
    <div className="grid items-start gap-6 xl:grid-cols-2">
      <div className="min-w-0 space-y-4">
        <Form
          form={form}
          className="card min-w-0 space-y-4 p-4 lg:p-6"
          onInput={({ currentTarget }) => onTyped(currentTarget)}
        >
          <UnsavedGuard includesQuery text="Your changes to this email have not been saved." />
          {/* Enter presses this button. */}
          <button type="submit" hidden tabIndex={-1} aria-hidden="true" />
          {sentTo && (
            <div role="status">
              <Banner tone="success" title={`A test email was sent to ${sentTo}`} />
            </div>
          )}
          {mail.kind === 'notice' && (
            <p className="text-body text-ink-2">Every reader gets this notice: keep advertising out of it.</p>
          )}
          {other && <OtherVersion key={other.version} other={other} field={field} />}
          <TextField
            name="subject"
            maxLength={200}
            hint="Leave blank for the standard subject, in the reader’s language."
          />
          <TextareaField
            name="body"
            rows={12}
            maxLength={20_000}
            hint="Plain text; a blank line starts a new paragraph. Leave blank for the standard text."
          />
          <PlaceholderButtons names={mail.placeholders} field="body" />
          {/* Field errors are shown at their fields. */}
          {Object.values(preview.problems)
            .filter((text) => !Object.values(form.errors).includes(text))
            .map((text) => (
              <p key={text} role="status" className="text-body text-danger">
                {text}
              </p>
            ))}
          <p className="text-table text-muted">
            <LastChange texts={stored} timeZone={timeZone} />
          </p>
          <SaveBar label={button} onDiscard={props.onDiscard}>
            <SubmitButton kind="secondary" intent="sample">
              Send me a test email
            </SubmitButton>
            <noscript>
              <SubmitButton kind="secondary" intent="preview">
                Preview
              </SubmitButton>
            </noscript>
          </SaveBar>
        </Form>
        {stored.length > 0 && <ResetToStandard language={language} version={opened} problem={problem} />}
      </div>
      <div className="min-w-0 space-y-6">
        {props.comparedText}
        <MailPreviewPane preview={preview} isStale={isStale} />
      </div>
    </div>
  )
}

/** A version that another user has stored in the meantime. */
export interface OtherText {
  subject: string
  body: string
  version: string
  by: string | null
}

/** Shows the stored version above the typed text; saving again overwrites the stored version. */
function OtherVersion({ other, field }: { other: OtherText; field: string }) {
  const section = useRef<HTMLElement>(null)
  // Like an error summary, it takes the focus when it appears.
  useEffect(() => section.current?.focus(), [])
  const lines = [
    { label: 'Subject', text: other.subject },
    { label: field, text: other.body },
  ]
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby="other-version"
      className="scroll-mt-20 rounded-input border border-warning p-4 outline-offset-2 focus:outline-2 focus:outline-warning"
    >
      <h2 id="other-version" className="text-h3">
        Two versions of this text
      </h2>
      <p className="mt-1 text-body text-ink-2">
        {`${other.by ?? 'Somebody'} changed it after you opened it. Their version is stored and shown here; yours is below. Copy what you need and save again: nothing has been lost.`}
      </p>
      <dl className="mt-3 space-y-2 text-body">
        {lines.map(({ label, text }) => (
          <div key={label}>
            <dt className="text-table text-muted">{`${label}, theirs`}</dt>
            <dd className="whitespace-pre-wrap wrap-anywhere">{text || 'Standard text'}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-3">
        <LinkButton to="" reloadDocument size="small">
          Use their version
        </LinkButton>
      </div>
    </section>
  )
}

/** Resets to the standard text, after a confirmation. */
function ResetToStandard({ language, version, problem }: Pick<MailTextFormProps, 'language' | 'version' | 'problem'>) {
  const form = useForm({
    problem,
    identifiedBy: { intent: 'reset' },
    hidden: { language, version },
    failure: 'Standard text not restored',
  })
  return (
    <Form form={form}>
      <ConfirmButton
        form={form}
        label="Restore the standard text"
        title="Go back to the standard text?"
        text="Your own subject and text for this email are removed in this language."
        isDangerous
      />
    </Form>
  )
}
