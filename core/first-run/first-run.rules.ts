/** The steps from a new account to a storefront that sells, in the recommended order. */
export const firstRunSteps = ['title', 'prices', 'keys', 'preview', 'test', 'share'] as const
export type FirstRunStep = (typeof firstRunSteps)[number]

/** The stored facts of a publisher that the steps depend on. */
export interface FirstRunFacts {
  /** The first title of their own; an example does not count. */
  title: { id: number; urlKey: string } | null
  /** Whether a title has been drafted. */
  hasDraft: boolean
  /** Whether the title has a price, or a product that is free. */
  isPriced: boolean
  /** Whether all its products are free: then no payments are needed. */
  isFree: boolean
  /** Whether a buyer could pay. */
  takesPayments: boolean
  isPreviewed: boolean
  isTestOrdered: boolean
  isShared: boolean
  /** Whether the current user may enter payment keys. */
  mayEnterKeys: boolean
  /** The publisher who may enter them, for users who may not. */
  publisherName: string
}

export interface FirstRunItem {
  step: FirstRunStep
  isDone: boolean
  /** The page of the step; null while another step has to be done first, or another user has to do it. */
  to: string | null
  /** The step without which this one cannot be done. */
  waitsFor: FirstRunStep | null
  /** The name of the user who may do it, if the current user may not. */
  whoMay: string | null
  /** The estimated time. */
  minutes: number
}

const minutes: Record<FirstRunStep, number> = { title: 4, prices: 1, keys: 3, preview: 1, test: 2, share: 1 }

/** Each step, whether it is done, and where to do it. */
export function firstRunItems(facts: FirstRunFacts): FirstRunItem[] {
  const { title } = facts
  const pageOfTitle = (path: (id: number) => string) => title && path(title.id)
  const draft = facts.hasDraft ? '/addpublication' : null
  const places: Record<FirstRunStep, { isDone: boolean; to: string | null; needs?: FirstRunStep }> = {
    title: { isDone: title !== null, to: pageOfTitle((id) => `/editpublication/${id}`) ?? '/addpublication' },
    prices: {
      isDone: facts.isPriced,
      to: pageOfTitle((id) => `/editpublication/${id}/prices`) ?? (draft && `${draft}/prices`),
      needs: 'title',
    },
    keys: { isDone: facts.takesPayments || facts.isFree, to: '/account#payments' },
    preview: { isDone: facts.isPreviewed, to: pageOfTitle((id) => `/publications/${id}/preview`), needs: 'title' },
    test: {
      isDone: facts.isTestOrdered,
      to: facts.isPriced ? pageOfTitle((id) => `/publications/${id}/preview#choose`) : null,
      needs: title ? 'prices' : 'title',
    },
    share: { isDone: facts.isShared, to: title && `/${title.urlKey}`, needs: 'title' },
  }
  return firstRunSteps.map((step) => {
    const { isDone, to, needs = null } = places[step]
    const whoMay = step === 'keys' && !facts.mayEnterKeys ? facts.publisherName : null
    return {
      step,
      isDone,
      to: whoMay === null ? to : null,
      waitsFor: !isDone && to === null ? needs : null,
      whoMay,
      minutes: minutes[step],
    }
  })
}
