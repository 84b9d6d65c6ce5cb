import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { OpenApiDocument } from './openapi.ts'

const packageDir = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** The files of Swagger UI that the page loads, by name below /api/docs. Nothing is loaded from other hosts. */
export const docsFiles: Readonly<Record<string, string>> = Object.fromEntries(
  ['swagger-ui.css', 'swagger-ui-bundle.js'].map((name) => [name, join(packageDir, name)]),
)

/**
 * The API reference: Swagger UI for /api/openapi.json. Calls can be tried from it after a log-in; the token is kept only in the open page.
 * Without JavaScript the page lists the calls. `nonce`: of the Content-Security-Policy, empty if there is none.
 */
export function docsPage(document: OpenApiDocument, nonce: string): string {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { summary, description }]) =>
        `<li><code>${escapeHtml(`${method.toUpperCase()} ${path}`)}</code> ${escapeHtml(description ?? summary)}</li>`,
    ),
  )
  const withNonce = nonce ? ` nonce="${nonce}"` : ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API – Masthead</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
<style>${styles}</style>
</head>
<body>
<main id="docs"></main>
<noscript>
<h1>Masthead API</h1>
<p>This reference needs JavaScript. The <a href="/api/openapi.json">OpenAPI document</a> has the same content.</p>
<ul>${calls.join('')}</ul>
</noscript>
<script${withNonce} src="/api/docs/swagger-ui-bundle.js"></script>
<script${withNonce}>SwaggerUIBundle(${JSON.stringify(settings)})</script>
</body>
</html>
`
}

/** See https://swagger.io/docs/open-source-tools/swagger-ui/usage/configuration/ */
const settings = {
  url: '/api/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  filter: true,
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  // Hides the validator badge, which is loaded from another site.
  validatorUrl: null,
}

const styles =
  'body{margin:0}.swagger-ui .opblock-body{overflow-x:auto}noscript{display:block;max-width:60rem;margin:0 auto;padding:1.25rem;font:16px/1.55 system-ui,sans-serif}'

function escapeHtml(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
