const intents = ['retry', 'stop', 'card-link'] as const

/** Whether a form was sent by one of the buttons of a renewal (`RenewalButtons`). */
export function isRenewalIntent(intent: string | undefined): boolean {
  return intents.some((renewalIntent) => renewalIntent === intent)
}
