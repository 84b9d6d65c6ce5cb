/** Anything with one @ and a dotted end: whether it is really somebody's shows when the first mail arrives. */
export const emailPattern = /^[^\s\p{Cc}@<>()",;:]+@[^\s\p{Cc}@<>()",;:]+\.[^\s\p{Cc}@<>()",;:]{2,}$/u
