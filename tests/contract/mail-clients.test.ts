import { describe, expect, it } from 'vitest'
import { type MailName, mails } from '#core/emails/mails.ts'
import { languages } from '#core/kernel/languages.ts'
import { sampleMailer as mailer } from '#tests/support/sample-mailer.ts'
import { cosmetic, elements, maxBytes, properties } from './mail-clients.ts'

const names = Object.keys(mails) as MailName[]

/** What a mail has that a client does not draw. */
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
      const where = properties[property]
      const isDrawn = cosmetic.includes(property) || where === 'all' || where?.includes(element)
      // Longhands, variables and functions are not drawn everywhere; Word knows no alpha.
      const isPlain =
        !/var\(|calc\(|rgba?\(|hsl|!important|(?:^|[\s,])-?\d+(?:rem|em|vw|%)/.test(value) || value === '100%'
      return [...(isDrawn ? [] : [`${property} on <${element}>`]), ...(isPlain ? [] : [`${property}: ${value}`])]
    })
}

describe.each(names)('%s', (name) => {
  it('has only what Outlook, Gmail and Apple Mail draw, and stays under what Gmail shows', async () => {
    for (const language of languages) {
      const sample = mails[name].sample(language)
      const { html, text } = await mailer.render(name, { ...sample, logoUrl: 'https://example.com/images/logo.svg' })
      expect(faultsOf(html)).toEqual([])
      expect(Buffer.byteLength(html)).toBeLessThan(maxBytes)
      expect(text.length).toBeGreaterThan(80)
      // No word is wider than a phone of 320 pixels but for addresses, which break.
      expect(html).not.toMatch(/\bwidth="(?:[4-9]\d\d|\d{4,})"(?![\s\S]{0,120}<!\[endif\])/)
    }
  })
})

it('finds what a client does not draw', () => {
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
