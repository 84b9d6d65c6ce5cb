import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { type ShouldRevalidateFunction, useActionData, useLoaderData } from '@remix-run/react'
import { useState } from 'react'
import type { AppContext } from '#core/context.ts'
import { getMailText } from '#core/emails/mail-texts.query.ts'
import { type MailPreview, previewMail, sendSampleMail, standardTexts } from '#core/emails/preview-mail.ts'
import { saveMailText } from '#core/emails/save-mail-text.ts'
import { conflict, isAppError } from '#core/kernel/errors.ts'
import { isLanguage, type Language } from '#core/kernel/languages.ts'
import { ownPublication } from '#core/publications/own-publication.ts'
import { type ComparedLanguage, ComparedText } from '#web/app/components/emails/compared-text.tsx'
import { editorPath, editorTexts, mailAt, textLanguages } from '#web/app/components/emails/mail-editor.ts'
import { MailTextForm, type OtherText } from '#web/app/components/emails/mail-text-form.tsx'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { ChoiceLinks } from '#web/app/components/ui/choice-links.tsx'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { withLocalPictures } from '#web/app/http/mail-preview.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

export const handle: CrumbHandle<Awaited<ReturnType<typeof loader>>> = {
  crumbs: ({ publicationId, publicationName, mail }) => [
    { label: 'Email templates', to: '/emailtemplates' },
    { label: publicationName, to: `/emailtemplates/${publicationId}` },
    { label: mail.title },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: `${data?.isRefused ? 'Error: ' : ''}${data?.mail.title ?? ''} – ${data?.publicationName ?? ''} – Masthead`,
  },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'emailTemplates')
  const publicationId = idParam(params.publicationId, 'The publication')
  const { pathname, searchParams } = new URL(request.url)
  const name = mailAt(pathname, params.mail)
  const { publicationName } = await ownPublication(ctx, { id: publicationId })
  const mail = await getMailText(ctx, { publicationId, mail: name })
  const code = searchParams.get('language')
  const language: Language | '' = isLanguage(code) ? code : ''
  const stored = mail.texts.find((text) => text.language === language)
  const typed = { subject: stored?.subject ?? '', body: stored?.body ?? '' }
  return {
    publicationId,
    publicationName,
    mail,
    // Not named `language`: loader data with that name sets the page's own language, and this page is English.
    textLanguage: language,
    typed,
    version: stored?.version ?? '',
    standard: await standardTexts(ctx, { publicationId, mail: name }),
    preview: withLocalPictures(ctx, await previewMail(ctx, { publicationId, mail: name, language, ...typed })),
    timeZone: ctx.settings.timeZone,
    isRefused: wasRefused(context),
  }
}

/** Also after a refusal: if the user discards the changes after a conflict, the page shows the text that is stored now. */
export const shouldRevalidate: ShouldRevalidateFunction = () => true

export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'emailTemplates')
  const publicationId = idParam(params.publicationId, 'The publication')
  const name = mailAt(new URL(request.url).pathname, params.mail)
  const values = await readForm(request)
  const typed = { ...values, publicationId, mail: name }
  return submit(context, values, async () => {
    if (values.intent === 'preview')
      return { sent: null, preview: withLocalPictures(ctx, await previewMail(ctx, typed)), values }
    if (values.intent === 'sample') {
      const { to } = await sendSampleMail(ctx, typed)
      return { sent: to, preview: withLocalPictures(ctx, await previewMail(ctx, typed)), values }
    }
    const { title } = await getMailText(ctx, { publicationId, mail: name })
    const isReset = values.intent === 'reset'
    try {
      await saveMailText(ctx, isReset ? { ...typed, subject: '', body: '' } : typed)
    } catch (error) {
      if (!isAppError(error) || error.kind !== 'conflict') throw error
      if (isReset)
        throw conflict('Somebody has changed this text since you opened it', {
          hint: 'Reload the page to see their text.',
        })
      return data({ other: await otherText(ctx, typed), values }, { status: 409 })
    }
    const { saved } = editorTexts(name, title)
    const hasOwnPage = editorPath(publicationId, name) !== `/emailtemplates/${publicationId}/${name}`
    return redirectWithToast(context, hasOwnPage ? '/emailtemplates' : `/emailtemplates/${publicationId}`, {
      kind: 'success',
      text: isReset ? `${saved} reset to the standard text` : `${saved} updated successfully`,
    })
  })
}

/** The text that another user saved in the meantime. */
async function otherText(
  ctx: AppContext,
  { publicationId, mail, language }: { publicationId: number; mail: string; language?: string | undefined },
): Promise<OtherText> {
  const { texts } = await getMailText(ctx, { publicationId, mail })
  const stored = texts.find((text) => text.language === (language ?? ''))
  const { subject = '', body = '', updatedBy = null, version = '' } = stored ?? {}
  return { subject, body, by: updatedBy, version }
}

type PageData = Awaited<ReturnType<typeof loader>>
type PreviewResult = { sent: string | null; preview: MailPreview; values: Record<string, string> }

export default function MailTextPage() {
  const page = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const { mail, textLanguage: language, publicationName } = page
  // Kept in state, so that it survives a change of language.
  const [chosenLanguage, setChosenLanguage] = useState<ComparedLanguage | null>(null)
  // Discarding remounts the form with the stored text, and ignores the response that it showed.
  const [discarded, setDiscarded] = useState({ count: 0, answer: undefined as typeof actionData })
  const current = actionData === discarded.answer ? undefined : actionData
  // After a conflict, discarding shows the text of the other version: the page may still be loading it.
  const stored =
    current === undefined && actionData && 'other' in actionData
      ? (actionData as { other: OtherText }).other
      : undefined
  const rendered = current && 'preview' in current ? (current as PreviewResult) : undefined
  const compared =
    current && 'other' in current ? (current as { other: OtherText; values: PreviewResult['values'] }) : undefined
  return (
    <>
      <PageHeader title={mail.title} note={`${publicationName}. ${mail.sentWhen}`} />
      <div className="mb-4 overflow-x-auto">
        <ChoiceLinks
          label="Language"
          param="language"
          choices={textLanguages.map(({ value, text }) => ({
            value,
            text: mail.texts.some((stored) => stored.language === value) ? `${text} ✓` : text,
          }))}
        />
      </div>
      <MailTextForm
        key={`${mail.name} ${language} ${discarded.count}`}
        mail={mail}
        language={language}
        publicationId={page.publicationId}
        storedText={stored ?? page.typed}
        version={stored?.version ?? page.version}
        comparedText={
          <ComparedText
            language={language}
            chosen={comparedLanguage(chosenLanguage, page)}
            onChoose={setChosenLanguage}
            texts={mail.texts}
            standard={page.standard}
          />
        }
        preview={page.preview}
        rendered={rendered?.preview}
        edited={rendered?.values ?? compared?.values}
        other={compared?.other}
        sentTo={rendered?.sent ?? null}
        timeZone={page.timeZone}
        problem={problemOf(current)}
        onDiscard={() => setDiscarded(({ count }) => ({ count: count + 1, answer: actionData }))}
      />
    </>
  )
}

/** The language to compare with: the chosen one, else the text for all languages while a single one is edited. */
function comparedLanguage(
  chosen: ComparedLanguage | null,
  { textLanguage: language, mail }: Pick<PageData, 'textLanguage' | 'mail'>,
): ComparedLanguage {
  if (chosen !== null && chosen !== language) return chosen
  return language !== '' && mail.texts.some((stored) => stored.language === '') ? '' : 'none'
}
