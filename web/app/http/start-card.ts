import type { AppContext } from '#core/context.ts'
import { errorKinds, toAppError } from '#core/kernel/errors.ts'
import type { StartedCardUpdate } from '#web/app/components/buyer/card-form.tsx'

/** Begins a card change for the script of a card form, without reloading the page. */
export async function startCard(
  ctx: Pick<AppContext, 'log'>,
  begin: () => Promise<StartedCardUpdate>,
): Promise<Response> {
  try {
    return Response.json(await begin())
  } catch (thrown) {
    const error = toAppError(thrown)
    if (errorKinds[error.kind].reported) ctx.log.error({ error }, 'a card could not be changed')
    const { status } = errorKinds[error.kind]
    const started: StartedCardUpdate = {
      clientSecret: null,
      ...(status < 500 ? { problem: error.phrases.message } : {}),
    }
    return Response.json(started, { status })
  }
}
