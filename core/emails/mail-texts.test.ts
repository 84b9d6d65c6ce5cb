import { beforeAll, describe, expect, it } from 'vitest'
import type { AppContext } from '#core/context.ts'
import { languages } from '#core/kernel/languages.ts'
import { maxBytes } from '#tests/contract/mail-clients.ts'
import { actorOf, makePublication } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { customisableEmails } from './customisable-mail.ts'
import { getMailText, listEmails } from './mail-texts.query.ts'
import { customTextOf } from './mail-texts.rows.ts'
import { previewMail, sendSampleMail, standardTexts } from './preview-mail.ts'
import { saveMailText } from './save-mail-text.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

async function makeOwnPublication(): Promise<{ publicationId: number; owner: AppContext }> {
  const { id, publisherId } = await makePublication(services, { publicationName: 'Harbour Light' })
  return { publicationId: id, owner: services.as(await actorOf(services, 'publisher', publisherId)) }
}

const receipt = { mail: 'order-receipt', language: '', subject: '' } as const

/** HTML of this length as Word puts it on the clipboard. */
function wordPage(length: number): string {
  const head = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><!--[if gte mso 9]><xml><o:OfficeDocumentSettings/></xml><![endif]-->
<style>p.MsoNormal {mso-style-unhide:no; margin:0cm; mso-fareast-language:EN-US}</style><script>alert(1)</script></head><body>`
  const paragraph = `<p class=MsoNormal style='mso-margin-top-alt:auto'><span lang=EN-GB style="mso-ansi-language:EN-GB">Welcome aboard<o:p></o:p></span></p>\n`
  return (head + paragraph.repeat(Math.ceil(length / paragraph.length))).slice(0, length)
}

describe('the text of an email', () => {
  it('is stored per email and language, with who changed it', async () => {
    const { publicationId, owner } = await makeOwnPublication()
    await saveMailText(owner, { ...receipt, publicationId, body: 'Thank you' })
    await saveMailText(owner, { ...receipt, publicationId, mail: 'renewal-reminder', body: 'Stay' })
    await saveMailText(owner, { ...receipt, publicationId, language: 'de', subject: 'Danke', body: 'Vielen Dank' })
    await saveMailText(owner, { ...receipt, publicationId, body: 'Thank you, {{name}}' })
    const storedText = (language: 'en' | 'de') =>
      customTextOf(services, { publicationId, mail: 'order-receipt', language })
    expect(await storedText('en')).toEqual({ subject: '', body: 'Thank you, {{name}}' })
    expect(await storedText('de')).toEqual({ subject: 'Danke', body: 'Vielen Dank' })
    const { texts, title } = await getMailText(owner, { publicationId, mail: 'order-receipt' })
    expect(title).toBe('Purchase Receipt')
    expect(texts).toMatchObject([
      { language: '', body: 'Thank you, {{name}}', updatedBy: expect.stringMatching(/\S/) },
      { language: 'de', subject: 'Danke' },
    ])
    const listed = await listEmails(owner, { publicationId })
    expect(listed.map(({ name }) => name)).toEqual(customisableEmails.map(({ name }) => name))
    expect(listed.find(({ name }) => name === 'renewal-reminder')?.texts).toMatchObject([{ body: 'Stay' }])
  })

  it('that somebody else changed meanwhile is not overwritten silently', async () => {
    const { publicationId, owner } = await makeOwnPublication()
    const version = async () =>
      (await getMailText(owner, { publicationId, mail: 'order-receipt' })).texts[0]?.version ?? ''
    const save = (body: string, seen: string) => saveMailText(owner, { ...receipt, publicationId, body, version: seen })
    const opened = await version()
    await save('Theirs', opened)
    await expect(save('Mine', opened)).rejects.toMatchObject({ kind: 'conflict' })
    expect((await customTextOf(services, { publicationId, mail: 'order-receipt', language: 'en' }))?.body).toBe(
      'Theirs',
    )
    // The same text typed by both users is not a conflict, and a text that is unchanged since it was opened may be changed.
    await save('Theirs', opened)
    services.clock.advance({ seconds: 1 })
    const seen = await version()
    await save('Mine', seen)
    await expect(save('', seen)).rejects.toMatchObject({ kind: 'conflict' })
    // Two users who restore the standard text agree, too.
    const restored = await version()
    await save('', restored)
    await save('', restored)
    // Programs that send no version overwrite, as before.
    await saveMailText(owner, { ...receipt, publicationId, body: 'By the API' })
  })

  it('that is blank restores the standard one', async () => {
    const { publicationId, owner } = await makeOwnPublication()
    await saveMailText(owner, { ...receipt, publicationId, body: 'Thank you' })
    await saveMailText(owner, { ...receipt, publicationId, body: ' ' })
    expect(await customTextOf(services, { publicationId, mail: 'order-receipt', language: 'en' })).toBeNull()
    const { html } = await previewMail(owner, { ...receipt, publicationId, body: '' })
    expect(html).toContain('Here are the details of your order:')
  })

  it.each([
    ['Dear {{nmae}}', /"\{\{nmae\}\}" is not a placeholder of this email: use \{\{name\}\}, \{\{order number\}\}/],
    ['Dear {{name}', /two braces on each side, such as \{\{name\}\}: look at "Dear \{\{name\}"/],
    ['Dear name}}', /two braces/],
    ['x'.repeat(20_001), /20000 characters or fewer/],
    [undefined, /Required/],
    [null, /Required/],
  ])('%.20s is refused, and the previous text stays', async (body, problem) => {
    const { publicationId, owner } = await makeOwnPublication()
    await saveMailText(owner, { ...receipt, publicationId, body: 'Before' })
    await expect(saveMailText(owner, { ...receipt, publicationId, body })).rejects.toMatchObject({
      kind: 'invalid',
      fields: { body: expect.stringMatching(problem) },
    })
    expect(await customTextOf(services, { publicationId, mail: 'order-receipt', language: 'en' })).toMatchObject({
      body: 'Before',
    })
  })

  it('pasted as 200 kB of Word source is refused by its length, and a shorter one is shown as text', async () => {
    const { publicationId, owner } = await makeOwnPublication()
    await saveMailText(owner, { ...receipt, publicationId, body: 'Before' })
    const stored = async () => (await getMailText(owner, { publicationId, mail: 'order-receipt' })).texts[0]?.body ?? ''
    await expect(saveMailText(owner, { ...receipt, publicationId, body: wordPage(200_000) })).rejects.toMatchObject({
      kind: 'invalid',
      fields: { body: 'Must be 20000 characters or fewer' },
    })
    expect(await stored()).toBe('Before')

    const fits = wordPage(19_000)
    await saveMailText(owner, { ...receipt, publicationId, body: fits })
    expect(await stored()).toBe(fits)
    const { html } = await previewMail(owner, { ...receipt, publicationId, body: fits })
    // None of the pasted markup reaches the email: no script, no style sheet, no conditional comment for Outlook, none of Word’s styles.
    for (const markup of [/<script/i, /<style/i, /<!--\[if gte/i, /<o:p/i, /<p class/i, /style="[^"]*mso-/i])
      expect(html).not.toMatch(markup)
    expect(html).toContain('&lt;script&gt;')
    expect(Buffer.byteLength(html)).toBeLessThan(maxBytes)
  })

  it('can be written only for the user’s own publications, and only for emails that have one', async () => {
    const { publicationId, owner } = await makeOwnPublication()
    const stranger = services.as(await actorOf(services, 'publisher'))
    const input = { ...receipt, publicationId, body: 'x' }
    for (const useCase of [saveMailText, previewMail, sendSampleMail, standardTexts]) {
      await expect(useCase(stranger, input)).rejects.toMatchObject({ kind: 'notFound' })
      await expect(useCase(owner, { ...input, mail: 'order-notice' })).rejects.toMatchObject({ kind: 'notFound' })
      await expect(useCase(owner, { ...input, mail: 'constructor' })).rejects.toMatchObject({ kind: 'notFound' })
    }
    await expect(listEmails(stranger, { publicationId })).rejects.toMatchObject({ kind: 'notFound' })
  })
})

it('the standard text exists in every language', async () => {
  const { publicationId, owner } = await makeOwnPublication()
  const standard = await standardTexts(owner, { publicationId, mail: 'renewal-reminder' })
  expect(Object.keys(standard)).toEqual([...languages])
  expect(standard.en).toMatch(/^Your subscription to Harbour Light ends on 21\/11\/2027\./)
  expect(standard.de).toMatch(/Abonnement.+Harbour Light.+21\.11\.2027/)
})

describe('a preview', () => {
  it('is of this publication, with the sample order of the specification', async () => {
    const { publicationId, owner } = await makeOwnPublication()
    await services.db.run(
      `UPDATE publications SET digital_edition_link = 'https://read.example/', ios_app_link = '' WHERE id = :publicationId`,
      { publicationId },
    )
    const { html, text, subject, problems } = await previewMail(owner, {
      ...receipt,
      publicationId,
      subject: 'Ahoy {{Name}}',
      body: 'Your number is {{ order number }}.\n\n<script>alert(1)</script> {{x}}',
    })
    expect(subject).toBe("Ahoy Mrs Ann O'Brien")
    for (const part of ['Your number is OD-XXXXXXX.', '29.99', 'Harbour Light', 'https://read.example/'])
      for (const body of [html, text]) expect(body).toContain(part)
    expect(html).not.toContain('<script>')
    expect(text).not.toContain('iPhone')
    expect(problems).toEqual({ body: expect.stringContaining('"{{x}}" is not a placeholder') })
  })

  it.each(customisableEmails.map(({ name }) => name))(
    'of %s shows what is typed in both bodies and in the subject',
    async (mail) => {
      const { publicationId, owner } = await makeOwnPublication()
      const typed = { subject: 'A subject of our own', body: 'One line of our own.\nAnd {{publication}}.' }
      const { html, text, subject } = await previewMail(owner, { publicationId, mail, language: 'nl', ...typed })
      expect(subject).toBe('A subject of our own')
      for (const body of [html, text]) {
        expect(body).toContain('One line of our own.')
        expect(body).toContain('And Harbour Light.')
      }
    },
  )

  it('of a language without a text shows the one for all languages', async () => {
    const { publicationId, owner } = await makeOwnPublication()
    await saveMailText(owner, { ...receipt, publicationId, body: 'Ship ahoy.' })
    const { text } = await previewMail(owner, { ...receipt, publicationId, language: 'fr', body: '' })
    expect(text).toContain('Ship ahoy.')
    expect(text).toContain('Merci')
  })

  it('of an offer has the publication’s text where the offer has none of its own', async () => {
    const { publicationId, owner } = await makeOwnPublication()
    const offer = {
      publicationId,
      mail: 'renewal-offer',
      language: '',
      subject: 'Come back',
      body: 'Dear friends.',
    } as const
    await saveMailText(owner, offer)
    const sample = { ...offer, language: 'en', isOwn: true } as const
    for (const [subject, body] of [
      ['Half the price', ''],
      ['', 'Only this week.'],
    ] as const) {
      await sendSampleMail(owner, { ...sample, subject, body })
      const [mail] = (await services.mail.devMailbox?.list(1)) ?? []
      expect(mail).toMatchObject({
        subject: subject || 'Come back',
        text: expect.stringContaining(body || 'Dear friends.'),
      })
    }
  })

  it('is emailed to the user who requests it', async () => {
    const { publicationId, owner } = await makeOwnPublication()
    const { to } = await sendSampleMail(owner, { ...receipt, publicationId, body: 'Only a test.' })
    const [mail] = (await services.mail.devMailbox?.list(1)) ?? []
    expect(mail).toMatchObject({ to, fromName: 'Harbour Light', text: expect.stringContaining('Only a test.') })
  })
})
