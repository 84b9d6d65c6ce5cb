import type { Json, OpenApiDocument, Operation } from './openapi.ts'

/** The API document as a page for people: made here whole, with no script and nothing fetched from elsewhere. */
export function docsPage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const sections = document.tags.map(({ name }) => {
    const rows = operations.filter(({ operation }) => operation.tags.includes(name))
    return `<section aria-labelledby="${text(name)}"><h2 id="${text(name)}">${text(name)}</h2>${rows.map(card).join('')}</section>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API – Masthead</title>
<style>${styles}</style>
</head>
<body>
<a class="skip" href="#calls">Skip to the calls</a>
<header>
<p class="brand">Masthead</p>
<h1>API</h1>
<p>${text(String(document.info.description))}</p>
<p>Calls begin with <code>${text(document.servers[0]?.url ?? '')}</code>. Log in with <code>POST /users/login</code> and send the token
as <code>Authorization: Bearer …</code>. A body is JSON of at most 1 MB; a picture is sent as
<code>multipart/form-data</code>. Errors are <code>{ "message": … }</code>; a 422 names each wrong
field. Every answer carries <code>x-request-id</code>: quote it when you ask us. <a href="openapi.json">OpenAPI document</a></p>
<nav aria-label="Parts">${document.tags.map(({ name }) => `<a href="#${text(name)}">${text(name)}</a>`).join('')}</nav>
</header>
<main id="calls">${sections.join('')}</main>
</body>
</html>
`
}

function card({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const [[bodyType, body] = ['', undefined]] = Object.entries(operation.requestBody?.content ?? {})
  const [status, success] = Object.entries(operation.responses)[0] ?? ['200', {}]
  const content = (success as { content?: Record<string, { schema: Json }> }).content ?? {}
  const others = Object.keys(operation.responses).slice(1)
  return `<details id="${text(operation.operationId)}">
<summary><span class="method ${method.toLowerCase()}">${method}</span> <code>${text(path).replaceAll(/\{\w+\}/g, '<i>$&</i>')}</code>
<span class="lock">${operation.security.length > 0 ? 'token' : 'public'}</span><span class="what">${text(operation.summary)}</span></summary>
<div class="inside">
${
  operation.parameters
    ? table(
        operation.operationId,
        'Values in the address',
        operation.parameters.map(({ name, schema, required, description }) => [
          name,
          shape(schema),
          required,
          description ?? '',
        ]),
      )
    : ''
}
${body ? table(operation.operationId, bodyType === 'application/json' ? 'Body' : `Body (${bodyType})`, fieldsOf(body.schema)) : ''}
<h3>Answer ${status}</h3>
${Object.entries(content)
  .map(([type, { schema }]) =>
    type === 'text/csv'
      ? '<p>A CSV file (<code>text/csv</code>), sent as it is made.</p>'
      : answer(operation.operationId, schema),
  )
  .join('')}
<p class="errors">Errors: ${others.map((other) => `<code>${other}</code>`).join(' ')}</p>
</div>
</details>`
}

type Row = [name: string, shape: string, required: boolean, note: string]

function fieldsOf(schema: Json, prefix = ''): Row[] {
  const properties = (schema.properties ?? {}) as Record<string, Json>
  const required = (schema.required ?? []) as string[]
  return Object.entries(properties).flatMap(([name, field]): Row[] => {
    const inner = field.type === 'array' ? (field.items as Json | undefined) : field
    const row: Row = [`${prefix}${name}`, shape(field), required.includes(name), String(field.description ?? '')]
    return inner?.properties
      ? [row, ...fieldsOf(inner, `${prefix}${name}${field.type === 'array' ? '[]' : ''}.`)]
      : [row]
  })
}

function answer(of: string, schema: Json): string {
  const inner = schema.type === 'array' ? (schema.items as Json) : schema
  const list = schema.type === 'array' ? '<p>A list of:</p>' : ''
  return inner.properties
    ? `${list}${table(of, '', fieldsOf(inner))}`
    : `${list}<p><code>${text(shape(inner))}</code></p>`
}

function shape(schema: Json): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if ('const' in schema) return JSON.stringify(schema.const)
  const options = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (options) return [...new Set(options.map(shape))].join(' or ')
  if (schema.format === 'binary') return 'file'
  if (schema.type === 'array') return `list of ${shape((schema.items ?? {}) as Json)}`
  return schema.type === undefined ? 'any' : [schema.type].flat().join(' or ')
}

function table(of: string, caption: string, rows: Row[]): string {
  return `<div class="scroll" tabindex="0" role="region" aria-label="${text(`${caption || 'Answer'} of ${of}`)}"><table>${caption ? `<caption>${text(caption)}</caption>` : ''}
<thead><tr><th scope="col">Name</th><th scope="col">Shape</th><th scope="col">Note</th></tr></thead><tbody>${rows
    .map(
      ([name, kind, required, note]) =>
        `<tr><th scope="row"><code>${text(name)}</code></th><td>${text(kind)}</td><td>${[required ? '' : 'may be left out', text(note)].filter(Boolean).join('; ')}</td></tr>`,
    )
    .join('')}</tbody></table></div>`
}

function text(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

const styles = `
:root{color-scheme:light;--ink:#16202b;--soft:#52606d;--line:#d9dee4;--sheet:#fff;--ground:#f6f7f9;--accent:#0f5c6e}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header,main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem 0}
main{padding-bottom:5rem}
.brand{margin:0;color:var(--accent);font:600 1rem/1 Georgia,"Times New Roman",serif;letter-spacing:.02em}
h1{margin:.25rem 0 .75rem;font:600 2.5rem/1.1 Georgia,"Times New Roman",serif}
h2{margin:2.25rem 0 .75rem;font:600 1.5rem/1.2 Georgia,"Times New Roman",serif}
h3{margin:1.25rem 0 .25rem;font-size:1rem}
a{color:var(--accent)}
nav{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;padding:.75rem 0;border-block:1px solid var(--line)}
code{font:.9em/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
details{margin:.5rem 0;background:var(--sheet);border:1px solid var(--line);border-radius:6px}
summary{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem .75rem;padding:.75rem 1rem;cursor:pointer}
summary i{color:var(--accent);font-style:normal}
summary .what{flex:1 1 100%;color:var(--soft)}
.method{min-width:4rem;padding:.1rem .4rem;border-radius:4px;background:#e2eef1;color:#0b4756;font:600 .8rem/1.5 ui-monospace,Menlo,Consolas,monospace;text-align:center}
.method.post{background:#e6f0e2;color:#28541b}
.method.delete{background:#f8e3e0;color:#8a1f11}
.lock{margin-left:auto;color:var(--soft);font-size:.85rem}
.inside{padding:0 1rem 1rem;border-top:1px solid var(--line)}
.scroll{overflow-x:auto}
table{width:100%;margin-top:.75rem;border-collapse:collapse;font-size:.9375rem}
caption{padding:.25rem 0;font-weight:600;text-align:left}
thead th:first-child{width:38%}thead th:nth-child(2){width:30%}
th,td{padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;font-weight:400}
thead th{color:var(--soft);font-size:.85rem}
.errors{margin:1rem 0 0;color:var(--soft)}
.skip{position:absolute;left:-999px}
.skip:focus{left:1rem;top:1rem;padding:.5rem 1rem;background:var(--sheet)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media print{details{break-inside:avoid}nav{display:none}}
`
