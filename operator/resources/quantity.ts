const units: Readonly<Record<string, number>> = {
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
  Ti: 1024 ** 4,
}

/**
 * The number of a quantity: the API server writes 2000m as 2, and 1024Mi as 1Gi, so texts are not compared.
 * @returns null for a text that is none
 */
export function quantity(text: string): number | null {
  const match = /^([0-9]+(?:\.[0-9]+)?)([A-Za-z]*)$/.exec(text)
  const unit = units[match?.[2] ?? '-']
  return match === null || unit === undefined ? null : Number(match[1]) * unit
}

/** An amount of memory in MB of 1024 * 1024 bytes; null where the text is not a quantity. */
export function mbytes(text: string): number | null {
  const bytes = quantity(text)
  return bytes === null ? null : Math.round(bytes / 1024 ** 2)
}
