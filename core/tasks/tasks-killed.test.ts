import { beforeAll, it } from 'vitest'
import { seededRandom } from '#tests/support/duplicates/seeded-random.ts'
import { expectToSurvive } from '#tests/support/kill-task.ts'
import { taskCases } from '#tests/support/task-cases/task-cases.ts'
import { allowLoopback } from '#tests/support/task-cases/transfer-cases.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

/** The commit before which each kind is killed; it depends on the seed. `npm run test:faults` kills at all of them, by every entry point. */
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
