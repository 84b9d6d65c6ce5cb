import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Handlebars from 'handlebars'
import nodemailer from 'nodemailer'
import { AppError } from '#core/kernel/errors.ts'
import type { Mailer, OutgoingMail } from '#core/ports/mailer.ts'
import { openDevMailbox } from './dev-mailbox.ts'

interface Options {
  templatesDir: string
  mailUrl: string | undefined
  mailFrom: string
  /** Where mails are kept when there is no MAIL_URL. */
  keepDir: string
}

/** A mail server that does not answer must not hold up the worker. */
const timeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 }

/** Handlebars templates in, nodemailer out: over SMTP with MAIL_URL, else as files in `keepDir`. */
export function makeMailer({ templatesDir, mailUrl, mailFrom, keepDir }: Options): Mailer {
  const handlebars = Handlebars.create()
  handlebars.registerHelper('linked', linked)
  const compiled = new Map<string, Promise<Handlebars.TemplateDelegate>>()
  const devMailbox = mailUrl ? null : openDevMailbox(keepDir)
  const transport = mailUrl ? nodemailer.createTransport({ url: mailUrl, ...timeouts }) : null

  function template(file: string): Promise<Handlebars.TemplateDelegate> {
    let ready = compiled.get(file)
    if (!ready) {
      // `strict`: a name the view-model lacks is an error in a test, not a hole in a mail.
      ready = readFile(join(templatesDir, file), 'utf8').then((source) =>
        handlebars.compile(source, {
          strict: true,
          noEscape: file.endsWith('text.hbs') || file.endsWith('subject.hbs'),
        }),
      )
      compiled.set(file, ready)
    }
    return ready
  }

  const fill = async (file: string, view: object) => (await template(file))(view)

  return {
    devMailbox,
    async render(name, view) {
      const [subject, html, text] = await Promise.all([
        fill(`${name}/subject.hbs`, view),
        fill(`${name}/html.hbs`, view),
        fill(`${name}/text.hbs`, view),
      ])
      const [wholeHtml, wholeText] = await Promise.all([
        fill('layouts/html.hbs', { ...view, subject: oneLine(subject), body: html }),
        fill('layouts/text.hbs', { ...view, body: text }),
      ])
      return { subject: oneLine(subject), html: wholeHtml, text: tidyText(wholeText) }
    },
    async send(mail) {
      const safe = withSafeHeaders(mail)
      if (devMailbox) return devMailbox.keep(safe)
      try {
        await transport?.sendMail({ ...safe, from: { name: safe.fromName, address: mailFrom } })
      } catch (error) {
        throw new AppError('upstream', 'The mail server did not take the mail', { detail: error, cause: error })
      }
    },
  }
}

const addressInText = /(https?:\/\/[^\s<>"]*[^\s<>".,:!?)]|[^\s<>"@()]+@[^\s<>"@()]+\.\p{L}{2,})/u

/** The web and email addresses in a sentence of ours as links, for HTML: `{{#linked}}{{help}}{{/linked}}`. What is inside is escaped. */
function linked(this: unknown, { fn }: Handlebars.HelperOptions): string {
  const pieces = fn(this)
    .split(addressInText)
    .map((piece, at) => {
      if (at % 2 === 0) return piece
      return `<a href="${piece.includes('://') ? '' : 'mailto:'}${piece}" style="color:#17202A;">${piece}</a>`
    })
  return pieces.join('')
}

/** What goes into a header is one line: a line break in a name or a subject would begin a header of its own. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

function withSafeHeaders(mail: OutgoingMail): OutgoingMail {
  const { cc, replyTo } = mail
  return {
    ...mail,
    to: oneLine(mail.to),
    ...(cc === undefined ? {} : { cc: oneLine(cc) }),
    ...(replyTo === undefined ? {} : { replyTo: oneLine(replyTo) }),
    fromName: oneLine(mail.fromName),
    subject: oneLine(mail.subject).slice(0, 300),
    messageId: oneLine(mail.messageId),
  }
}

/** Loops and conditions leave empty lines behind; two in a row say as much. */
function tidyText(text: string): string {
  return `${text
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`
}
