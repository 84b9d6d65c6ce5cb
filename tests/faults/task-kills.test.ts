import { beforeAll, describe, expect, it } from 'vitest'
import { taskKinds } from '#core/tasks/task-kinds.ts'
import { seededRandom } from '#tests/support/duplicates/seeded-random.ts'
import { expectToSurvive } from '#tests/support/kill-task.ts'
import { taskCases } from '#tests/support/task-cases/task-cases.ts'
import { allowLoopback } from '#tests/support/task-cases/transfer-cases.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

/** Another seed kills at other commits: `FAULT_SEED=7 npm run test:faults`. `FAULT_KILLS` is how many times each is killed. */
const { roll } = seededRandom(Number(process.env.FAULT_SEED ?? 20261122))
const kills = Number(process.env.FAULT_KILLS ?? 4)

/** Every kind of long work by every entry point it has, with the commits before which it is killed, once each. */
const matrix = Object.entries(taskCases).flatMap(([name, taskCase]) =>
  (['worker', 'inline'] as const).flatMap((runBy) => {
    const commits = Array.from({ length: taskCase[runBy]?.commits ?? 0 }, (_, index) => index + 1)
    const chosen = Array.from(commits.slice(0, kills), () => commits.splice(roll(commits.length), 1)[0] as number)
    return chosen.length === 0 ? [] : [{ name, runBy, chosen: chosen.sort((a, b) => a - b) }]
  }),
)

let services: TestServices
beforeAll(async () => {
  services = await openTestServices(allowLoopback)
})

describe.each(matrix)('$name, $runBy', ({ name, runBy, chosen }) => {
  it.each(chosen)('survives a kill before commit %i', (commit) => expectToSurvive({ services, name, runBy, commit }))
})

it('has a case for every kind of long work', () => {
  expect([...new Set(Object.values(taskCases).map(({ kind }) => kind))].sort()).toEqual(Object.keys(taskKinds).sort())
})
