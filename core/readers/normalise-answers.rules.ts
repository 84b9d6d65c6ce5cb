/** The answers to the Yes/No questions as they are stored: "yes" and "NO" become Yes and No. */
export function normaliseAnswers(answers: { answerA?: string; answerB?: string }): {
  answerA?: string
  answerB?: string
} {
  const { answerA, answerB } = answers
  return {
    ...(answerA === undefined ? {} : { answerA: yesOrNo(answerA) }),
    ...(answerB === undefined ? {} : { answerB: yesOrNo(answerB) }),
  }
}

/** One of them. */
export function yesOrNo(answer: string): string {
  return /^(yes|no)$/i.test(answer) ? answer.charAt(0).toUpperCase() + answer.slice(1).toLowerCase() : answer
}
