/** The words of a list with spaces or line breaks between them. */
export const wordSet = (words: string): Set<string> => new Set(words.trim().split(/\s+/))
