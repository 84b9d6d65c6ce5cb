// Journeys test the build, which they do not import: `npm test -- --changed` would not know that a changed route affects them. These
// imports are never executed. Vitest reads them as dependencies of every file that starts the built server.
void import.meta.glob(['/web/app/**/*.ts', '/web/app/**/*.tsx', '!/web/app/**/*.test.ts'])
