/**
 * Markup that mail clients render: elements with their attributes, and CSS properties, as far as Outlook for Windows (which renders with Word), Gmail
 * (web, and phones with other providers' accounts, which drop <style>) and Apple Mail all support them. Source: the tables of caniemail.com,
 * November 2026. Emails use nothing else.
 */
export const elements: Readonly<Record<string, readonly string[]>> = {
  html: ['lang'],
  head: [],
  meta: ['charset', 'name', 'content'],
  title: [],
  body: ['style'],
  table: ['role', 'width', 'cellpadding', 'cellspacing', 'border', 'bgcolor', 'style'],
  tr: [],
  td: ['align', 'width', 'bgcolor', 'style'],
  p: ['style'],
  h1: ['style'],
  h2: ['style'],
  ol: ['style'],
  li: ['style'],
  a: ['href', 'style'],
  img: ['src', 'alt', 'height', 'style'],
  strong: ['style'],
  br: [],
}

/** The elements on which a property is rendered; `all` is every element. Outlook supports padding and margin only on these. */
export const properties: Readonly<Record<string, readonly string[] | 'all'>> = {
  'background-color': ['body', 'table', 'td'],
  border: ['table', 'td', 'img'],
  'border-top': ['td'],
  'border-bottom': ['td'],
  'border-left': ['td'],
  color: 'all',
  display: ['img'],
  'font-family': 'all',
  'font-size': 'all',
  'font-weight': 'all',
  'line-height': 'all',
  margin: ['body', 'p', 'h1', 'h2', 'ol', 'li'],
  padding: ['body', 'td', 'ol'],
  'text-align': 'all',
  'text-decoration': 'all',
  'vertical-align': ['td'],
  'white-space': ['td'],
}

/** Outlook ignores these without harm: rounded corners, the width that its own table limits there, a logo's maximum size. */
export const cosmetic = ['border-radius', 'max-width', 'max-height', 'height', 'word-break']

/** Gmail cuts off everything after it. */
export const maxBytes = 100 * 1024
