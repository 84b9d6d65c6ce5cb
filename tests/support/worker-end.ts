import { builtinEnvironments, type Environment } from 'vitest/runtime'

declare global {
  /** Resources that end with a worker. On the global object, because Vitest loads an environment separately from the modules of the tests. */
  var endsOfWorker: (() => Promise<void>)[] | undefined
}

/** Node's usual environment with a teardown: the files of a worker share a browser, which is closed after the last of them. */
export default {
  ...builtinEnvironments.node,
  name: 'worker-end',
  async setup(global, options) {
    const node = await builtinEnvironments.node.setup(global, options)
    return {
      async teardown(global) {
        for (const end of globalThis.endsOfWorker?.splice(0) ?? []) await end()
        await node.teardown(global)
      },
    }
  },
} satisfies Environment
