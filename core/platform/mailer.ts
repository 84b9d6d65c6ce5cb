import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Handlebars from 'handlebars'
import nodemailer from 'nodemailer'
import type { Mailer, OutgoingMail } from '#core/emails/mailer.ts'
import { AppError } from '#core/kernel/errors.ts'

/** A mail kept on disk where there is no mail server: what /dev/mail shows. */
export interface KeptMail extends OutgoingMail {
  keptAt: string
}

interface Options {
  templatesDir: string
  mailUrl: string | undefined
  mailFrom: string
  /** Where mails are kept when there is no MAIL_URL. */
  keepDir: string
}

/** Handlebars templates in, nodemailer out: over SMTP with MAIL_URL, else as JSON files in `keepDir`. */
export function makeMailer({ templatesDir, mailUrl, mailFrom, keepDir }: Options): Mailer {
  const handlebars = Handlebars.create()
  const compiled = new Map<string, Promise<Handlebars.TemplateDelegate>>()
  const transport = mailUrl ? nodemailer.createTransport(mailUrl) : nodemailer.createTransport({ jsonTransport: true })

  function template(file: string): Promise<Handlebars.TemplateDelegate> {
    let ready = compiled.get(file)
    if (!ready) {
      // `strict`: a name the view-model lacks is an error in a test, not a hole in a mail.
      ready = readFile(join(templatesDir, file), 'utf8').then((source) =>
        handlebars.compile(source, { strict: true, noEscape: file.endsWith('text.hbs') || file.endsWith('subject.hbs') }),
      )
      compiled.set(file, ready)
    }
    return ready
  }

  const fill = async (file: string, view: object) => (await template(file))(view)

  return {
    async render(name, view) {
      const [subject, html, text] = await Promise.all([
        fill(`${name}/subject.hbs`, view),
        fill(`${name}/html.hbs`, view),
        fill(`${name}/text.hbs`, view),
      ])
      const [wholeHtml, wholeText] = await Promise.all([
        fill('layouts/html.hbs', { ...view, subject: subject.trim(), body: html }),
        fill('layouts/text.hbs', { ...view, body: text }),
      ])
      return { subject: subject.replaceAll(/[\r\n]+/g, ' ').trim(), html: wholeHtml, text: wholeText }
    },
    async send(mail) {
      const from = { name: mail.fromName, address: mailFrom }
      try {
        await transport.sendMail({ ...mail, from })
      } catch (error) {
        throw new AppError('upstream', 'The mail server did not take the mail', { detail: error, cause: error })
      }
      if (mailUrl) return
      await mkdir(keepDir, { recursive: true })
      const kept: KeptMail = { ...mail, keptAt: new Date().toISOString() }
      const name = `${Date.now()}-${mail.messageId.replaceAll(/[^\w-]+/g, '-').slice(1, 60)}.json`
      await writeFile(join(keepDir, name), JSON.stringify(kept, null, 2))
    },
  }
}
