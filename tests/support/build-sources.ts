// Journeys test the build, to which no import leads: `npm test -- --changed` would not know that a changed route concerns them. These
// imports are never run. Vitest reads them as dependencies of every file that starts the built server.
void import.meta.glob(['/web/app/**/*.ts', '/web/app/**/*.tsx', '!/web/app/**/*.test.ts'])
