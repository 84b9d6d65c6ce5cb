import { describe, expect, it } from 'vitest'
import { emails, type MailName } from '#core/emails/emails.ts'
import { languages } from '#core/kernel/languages.ts'
import { contrastOf } from '#tests/support/contrast.ts'
import { sampleMailer as mailer } from '#tests/support/sample-mailer.ts'
import { cosmetic, elements, maxBytes, properties } from './mail-clients.ts'

const names = Object.keys(emails) as MailName[]

/** The parts of an email that some client does not render. */
function faultsOf(html: string): string[] {
  const faults: string[] = []
  for (const [, name = '', attributes = ''] of html.matchAll(/<([a-z][\w-]*)((?:\s+[\w-]+="[^"]*")*)\s*\/?>/gi)) {
    const allowed = elements[name]
    if (!allowed) faults.push(`<${name}>`)
    for (const [, attribute = '', value = ''] of attributes.matchAll(/([\w-]+)="([^"]*)"/g)) {
      if (allowed && !allowed.includes(attribute)) faults.push(`${attribute} of <${name}>`)
      if (attribute === 'style') faults.push(...styleFaults(name, value))
    }
    if (name === 'img' && !/\balt="[^"]+"/.test(attributes)) faults.push('<img> without alt')
    if (name === 'table' && !attributes.includes('role="presentation"')) faults.push('<table> without a role')
    if (/background-color/.test(attributes) && name !== 'body' && !attributes.includes('bgcolor='))
      faults.push(`background of <${name}> without bgcolor`)
  }
  return faults
}

function styleFaults(element: string, style: string): string[] {
  return style
    .split(';')
    .filter((part) => part.trim() !== '')
    .flatMap((part) => {
      const [property = '', value = ''] = part.split(':').map((text) => text.trim())
      const supported = properties[property]
      const isRendered = cosmetic.includes(property) || supported === 'all' || supported?.includes(element)
      // Longhands, variables and functions are not supported everywhere; Word has no alpha.
      const isPlain =
        !/var\(|calc\(|rgba?\(|hsl|!important|(?:^|[\s,])-?\d+(?:rem|em|vw|%)/.test(value) || value === '100%'
      return [...(isRendered ? [] : [`${property} on <${element}>`]), ...(isPlain ? [] : [`${property}: ${value}`])]
    })
}

/**
 * Faults in a dark colour scheme: an email not declared as light is inverted by the client's own rules, and text in our colour
 * on the client's background cannot be read there. The background must be a table's: Gmail drops the body's.
 */
function darkFaults(html: string): string[] {
  const faults = ['color-scheme', 'supported-color-schemes']
    .filter((name) => !html.includes(`<meta name="${name}" content="light">`))
    .map((name) => `no ${name}`)
  const [, body = ''] = html.replaceAll(/<!--[\s\S]*?-->/g, '').split(/(?=<body)/)
  const openElements: { name: string; color: string; backgroundColor: string }[] = [
    { name: '', color: '', backgroundColor: '' },
  ]
  for (const [, tag, text = ''] of body.matchAll(/<([^>]*)>([^<]*)/g)) {
    const [, close, name = '', attributes = ''] = /^(\/?)([a-z][\w-]*)([\s\S]*)$/i.exec(tag ?? '') ?? []
    const parent = openElements.at(-1) ?? { name: '', color: '', backgroundColor: '' }
    const colorOf = (property: string) => new RegExp(`[;"]${property}:(#[0-9a-f]{6})`, 'i').exec(attributes)?.[1]
    if (close) openElements.pop()
    else if (name !== 'br')
      openElements.push({
        name,
        color: colorOf('color') ?? parent.color,
        backgroundColor: (name === 'body' ? undefined : colorOf('background-color')) ?? parent.backgroundColor,
      })
    const { color, backgroundColor } = openElements.at(-1) ?? parent
    if (name === 'img') openElements.pop()
    const alt = name === 'img' ? /\balt="[^"]+"/.exec(attributes)?.[0] : undefined
    for (const shown of [alt, text.trim()]) {
      if (!shown) continue
      if (!color || !backgroundColor)
        faults.push(`${shown}: ${color || 'no colour'} on ${backgroundColor || 'no background'}`)
      else if (contrastOf(color, backgroundColor) < 4.5) faults.push(`${shown}: ${color} on ${backgroundColor}`)
    }
  }
  return faults
}

describe.each(names)('%s', (name) => {
  it('uses only what Outlook, Gmail and Apple Mail render, and stays below Gmail’s size limit', async () => {
    for (const language of languages) {
      const sample = emails[name].sample(language)
      const { html, text } = await mailer.render(name, { ...sample, logoUrl: 'https://example.com/images/logo.svg' })
      expect(faultsOf(html)).toEqual([])
      expect(darkFaults(html)).toEqual([])
      expect(Buffer.byteLength(html)).toBeLessThan(maxBytes)
      expect(text.length).toBeGreaterThan(80)
      // No fixed width is wider than a phone, except in the table for Outlook.
      expect(html).not.toMatch(/\bwidth="(?:[4-9]\d\d|\d{4,})"(?![\s\S]{0,120}<!\[endif\])/)
    }
  })
})

it('finds what a client does not render', () => {
  const html =
    '<div><p style="padding:4px;color:rgba(0,0,0,.5)">x</p><img src="a"><a style="display:inline-block">y</a></div>'
  expect(faultsOf(html)).toEqual([
    '<div>',
    'padding on <p>',
    'color: rgba(0,0,0,.5)',
    '<img> without alt',
    'display on <a>',
  ])
})

it('finds what a dark colour scheme would break', () => {
  const head = '<meta name="color-scheme" content="light">'
  const body = `<body style="background-color:#FFFFFF;color:#17202A;"><p>on the body</p><table style="background-color:#FFFFFF;"><tr>
    <td>fine</td><td style="color:#BBBBBB;">pale</td><td style="background-color:#17202A;"><a style="color:#FFFFFF;">fine</a><img alt="logo">dark</td></tr></table>`
  expect(darkFaults(head + body)).toEqual([
    'no supported-color-schemes',
    'on the body: #17202A on no background',
    'pale: #BBBBBB on #FFFFFF',
    'alt="logo": #17202A on #17202A',
    'dark: #17202A on #17202A',
  ])
})
