import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Handlebars from 'handlebars'
import { cutText } from '#core/kernel/text-format.ts'
import { type Mailer, type MailHeaders, mailHeaderNames, type OutgoingMail } from '#core/ports/mailer.ts'
import { openDevMailbox } from './dev-mailbox.ts'
import { openMailTransport, type TransportOptions } from './mail-transport.ts'

interface Options extends Omit<TransportOptions, 'mailUrl'> {
  templatesDir: string
  mailUrl: string | undefined
  /** Where emails are stored without MAIL_URL. */
  keepDir: string
}

/** Renders Handlebars templates and sends by nodemailer: over SMTP with MAIL_URL, else as files in `keepDir`. */
export function makeMailer({ templatesDir, mailUrl, keepDir, ...options }: Options): Mailer {
  const handlebars = Handlebars.create()
  handlebars.registerHelper('linked', linked)
  handlebars.registerHelper('colon', colon)
  let partials: Promise<void> | undefined
  const compiled = new Map<string, Promise<Handlebars.TemplateDelegate>>()
  const devMailbox = mailUrl ? null : openDevMailbox(keepDir)
  const transport = mailUrl ? openMailTransport({ mailUrl, ...options }) : null

  /** Partials that several emails share, by file name: `{{> rows}}`. */
  async function readPartials(): Promise<void> {
    const folder = join(templatesDir, 'partials')
    for (const file of await readdir(folder))
      handlebars.registerPartial(file.replace(/\.hbs$/, ''), await readFile(join(folder, file), 'utf8'))
  }

  function template(file: string): Promise<Handlebars.TemplateDelegate> {
    let ready = compiled.get(file)
    if (!ready) {
      // `strict`: a name that the view-model lacks is an error in a test instead of a gap in an email.
      partials ??= readPartials()
      ready = Promise.all([readFile(join(templatesDir, file), 'utf8'), partials]).then(([source]) =>
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
      if (transport) return transport.send(safe)
      // The sender's DKIM key is not stored.
      const { ownSender, ...withoutKey } = safe
      await devMailbox?.keep({ ...withoutKey, ...(ownSender === undefined ? {} : { from: ownSender.address }) })
      return { answers: [{ address: safe.to, isTo: true, answer: 'Kept in the dev mailbox', fault: null }] }
    },
    connections: options.connections,
    close: () => transport?.close(),
  }
}

const addressInText = /(https?:\/\/[^\s<>"]*[^\s<>".,:!?)]|[^\s<>"@()]+@[^\s<>"@()]+\.\p{L}{2,})/u

/** The web and email addresses in one of our sentences as links, for HTML: `{{#linked}}{{help}}{{/linked}}`. The text inside is escaped. */
function linked(this: unknown, { fn }: Handlebars.HelperOptions): string {
  const pieces = fn(this)
    .split(addressInText)
    .map((piece, index) => {
      if (index % 2 === 0) return piece
      return `<a href="${piece.includes('://') ? '' : 'mailto:'}${piece}" style="color:#17202A;">${piece}</a>`
    })
  return pieces.join('')
}

/** The colon after a label, as the email's language writes it: in French a space precedes it. `{{label}}{{colon}} {{value}}`. */
function colon({ data }: Handlebars.HelperOptions): string {
  return data.root.locale?.startsWith('fr') ? '\u00A0:' : ':'
}

/** A header value is one line: a line break in a name or a subject would begin another header. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

function withSafeHeaders(mail: OutgoingMail): OutgoingMail {
  const { cc, replyTo, headers, ownSender } = mail
  return {
    ...mail,
    to: oneLine(mail.to),
    ...(cc === undefined ? {} : { cc: oneLine(cc) }),
    ...(replyTo === undefined ? {} : { replyTo: oneLine(replyTo) }),
    ...(ownSender === undefined ? {} : { ownSender: { ...ownSender, address: oneLine(ownSender.address) } }),
    fromName: oneLine(mail.fromName),
    subject: cutText(oneLine(mail.subject), 300),
    messageId: oneLine(mail.messageId),
    ...(headers === undefined ? {} : { headers: safeHeaders(headers) }),
  }
}

/** A generated header that is not a single line of ASCII is a bug: it is not sent. RFC 5322 limits a line to 998 characters. */
function safeHeaders(headers: MailHeaders): MailHeaders {
  for (const [name, value] of Object.entries(headers)) {
    if (!(mailHeaderNames as readonly string[]).includes(name)) throw new Error(`No email has a header ${name}`)
    if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,898}[\x21-\x7e])?$/.test(value))
      throw new Error(`The header ${name} is not one line of printable ASCII of at most 900 characters`)
  }
  return headers
}

/** Loops and conditions leave empty lines behind: of several in a row one is kept. */
function tidyText(text: string): string {
  return `${text
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`
}
