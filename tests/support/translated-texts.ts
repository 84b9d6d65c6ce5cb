import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** The texts whose translation is looked up: the literals in `t('…')`, `t.count(n, '…', '…')`, `translatorOf(language)('…')` and `phrase('…')`. */
export function translatedTexts(folders: readonly string[]): Set<string> {
  const texts = new Set<string>()
  for (const file of folders.flatMap(sourcesIn)) {
    eachNode(file, (node) => {
      if (ts.isCallExpression(node)) for (const argument of translatedArguments(node)) collect(argument, texts)
    })
  }
  return texts
}

/** Texts of a page that bypass the translator: in the markup, or in an attribute that is shown or read aloud. */
export function untranslatedTexts(folders: readonly string[]): string[] {
  const texts: string[] = []
  for (const file of folders.flatMap(sourcesIn)) {
    eachNode(file, (node) => {
      if (ts.isJsxText(node) && hasWords(node.text)) texts.push(`${file}: ${node.text.trim()}`)
      if (ts.isJsxAttribute(node) && shownAttributes.has(node.name.getText()) && node.initializer) {
        const { initializer } = node
        if (ts.isStringLiteral(initializer) && hasWords(initializer.text)) texts.push(`${file}: ${initializer.text}`)
      }
    })
  }
  return texts
}

const shownAttributes = new Set(['alt', 'aria-label', 'heading', 'hint', 'label', 'placeholder', 'title'])

function hasWords(text: string): boolean {
  return /\p{L}{2}/u.test(text)
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.ts$/.test(name))
    .map((name) => join(folder, name))
}

function eachNode(file: string, check: (node: ts.Node) => void): void {
  const visit = (node: ts.Node): void => {
    check(node)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true))
}

function translatedArguments({ expression, arguments: args }: ts.CallExpression): readonly ts.Expression[] {
  const name = expression.getText()
  if (name === 't' || name === 'phrase' || name.startsWith('translatorOf(')) return args.slice(0, 1)
  return name === 't.count' ? args.slice(1, 3) : []
}

/** A literal, or the literals that a condition chooses from; a name is a text marked by `phrase` where it is defined. */
function collect(node: ts.Expression, texts: Set<string>): void {
  if (ts.isStringLiteralLike(node)) texts.add(node.text)
  else if (ts.isParenthesizedExpression(node)) collect(node.expression, texts)
  else if (ts.isConditionalExpression(node)) for (const part of [node.whenTrue, node.whenFalse]) collect(part, texts)
  else if (ts.isBinaryExpression(node)) for (const part of [node.left, node.right]) collect(part, texts)
}
