import { beforeAll, it } from 'vitest'
import { seededRandom } from '#tests/support/duplicates/seeded-random.ts'
import { expectToSurvive } from '#tests/support/kill-task.ts'
import { taskCases } from '#tests/support/task-cases/task-cases.ts'
import { allowLoopback } from '#tests/support/task-cases/transfer-cases.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

/** Before which commit each kind is killed: another seed kills elsewhere. All of them, by every entry point: `npm run test:faults`. */
const { roll } = seededRandom(20261122)

const byWorker = Object.entries(taskCases).flatMap(([name, { worker }]) =>
  worker ? [{ name, commit: 1 + roll(worker.commits) }] : [],
)

let services: TestServices
beforeAll(async () => {
  services = await openTestServices(allowLoopback)
})

it.each(byWorker)('$name whose worker is killed before commit $commit is completed once', (killed) =>
  expectToSurvive({ ...killed, services, runBy: 'worker' }),
)
