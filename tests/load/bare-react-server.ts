import express from 'express'
import { createElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'

/** Serves the markup of one page through Express and renderToString: `node bare-react-server.ts <port> <address of the page> [cookie]`. */
const [port, page, cookie = ''] = process.argv.slice(2)
if (!port || !page) throw new Error('usage: bare-react-server.ts <port> <page> [cookie]')

const voidElements = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

function styleOf(text: string): Record<string, string> {
  const pairs = text.split(';').flatMap((rule) => {
    const [name, ...value] = rule.split(':')
    return name && value.length > 0
      ? [[name.trim().startsWith('--') ? name.trim() : camel(name.trim()), value.join(':').trim()]]
      : []
  })
  return Object.fromEntries(pairs)
}

const camel = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const plainText = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#x27;|&#39;/g, "'")
    .replaceAll('&amp;', '&')

function propsOf(text: string): Record<string, unknown> {
  const props: Record<string, unknown> = {}
  for (const [, name = '', value] of text.matchAll(/([\w:@-]+)(?:="([^"]*)")?/g)) {
    if (name === 'style') props.style = styleOf(plainText(value ?? ''))
    else if (name === 'class') props.className = plainText(value ?? '')
    else if (name === 'for') props.htmlFor = value
    else if (name === 'value') props.defaultValue = plainText(value ?? '')
    else if (
      ['checked', 'selected', 'disabled', 'required', 'hidden', 'async', 'defer', 'open', 'readonly'].includes(name)
    )
      props[name === 'checked' ? 'defaultChecked' : name] = true
    else props[name] = plainText(value ?? '')
  }
  return props
}

/** React's own output is well formed, so a tokenizer is enough. */
function treeOf(html: string): () => ReactNode {
  type Node = { tag: string; props: Record<string, unknown>; children: (Node | string)[] }
  const top: Node = { tag: '', props: {}, children: [] }
  const open = [top]
  const tokens =
    /<!--[\s\S]*?-->|<!doctype[^>]*>|<(script|style|textarea)((?:\s[^>]*)?)>([\s\S]*?)<\/\1>|<\/([\w-]+)>|<([\w-]+)((?:"[^"]*"|[^>"])*?)\/?>|([^<]+)/gi
  for (const [, raw, rawProps, rawText, close, tag, props, text] of html.matchAll(tokens)) {
    const parent = open.at(-1) ?? top
    if (raw) {
      const own = propsOf(rawProps ?? '')
      parent.children.push({
        tag: raw,
        props:
          raw === 'textarea'
            ? { ...own, defaultValue: rawText }
            : { ...own, dangerouslySetInnerHTML: { __html: rawText } },
        children: [],
      })
    } else if (close) {
      if (open.length > 1) open.pop()
    } else if (tag) {
      const node: Node = { tag, props: propsOf(props ?? ''), children: [] }
      parent.children.push(node)
      if (!voidElements.has(tag)) open.push(node)
    } else if (text) parent.children.push(plainText(text))
  }
  const render = (node: Node | string): ReactNode =>
    typeof node === 'string'
      ? node
      : createElement(node.tag, node.props, ...(node.children.length > 0 ? node.children.map(render) : []))
  const root = top.children.find((node): node is Node => typeof node !== 'string')
  if (!root) throw new Error('The page has no markup')
  return () => render(root)
}

const response = await fetch(page, { headers: { cookie } })
const tree = treeOf(await response.text())
express()
  .get('/', (_, response) => {
    response.type('html').send(`<!DOCTYPE html>${renderToString(createElement(tree))}`)
  })
  .listen(Number(port), '127.0.0.1')
