// Part of npm run check: checks the OpenAPI document against Redocly's recommended rules, warnings included.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { apiTables } from '#web/app/api/api-tables.ts'
import { openApiDocument } from '#web/app/api/openapi.ts'

const config = await createConfig({
  extends: ['recommended'],
  rules: {
    // Some paths of the specification end with a slash, and its clients call them that way.
    'no-path-trailing-slash': 'off',
    'info-license': 'off',
    'no-invalid-media-type-examples': 'error',
    'no-invalid-parameter-examples': 'error',
  },
})
const source = JSON.stringify(openApiDocument(apiTables, 'https://masthead.example'))
const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
for (const { ruleId, message, location } of problems)
  process.stdout.write(`${location[0]?.pointer ?? ''} ${message} (${ruleId})\n`)
process.exit(problems.length === 0 ? 0 : 1)
