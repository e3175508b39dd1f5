export interface Finding {
  readonly what: string
  /** `note`: it concerns other programs, such as browsers, and calls from here work. */
  readonly verdict: 'ok' | 'note' | 'problem'
  /** Result of the check, and the remedy of a problem. */
  readonly text: string
}

export function good(what: string, text: string): Finding {
  return { what, verdict: 'ok', text }
}

export function note(what: string, text: string): Finding {
  return { what, verdict: 'note', text }
}

export function bad(what: string, text: string): Finding {
  return { what, verdict: 'problem', text }
}

export function lineOf({ what, verdict, text }: Finding): string {
  const word = verdict === 'problem' ? 'PROBLEM' : verdict
  return `${word.padEnd(7)}  ${what.padEnd(8)} ${text}`
}

export async function attempt<T>(run: () => Promise<T>): Promise<T | Error> {
  try {
    return await run()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
