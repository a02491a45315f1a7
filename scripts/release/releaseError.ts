/** A reason not to release. The message says what to do; everything else is a bug and keeps its stack. */
export class ReleaseError extends Error {}
