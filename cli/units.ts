const mebibyte = 1_048_576

/** As the service counts: MB of 1,048,576 bytes. */
export function mbytes(bytes: number): string {
  return mbytesText(bytes / mebibyte)
}

export function mbytesText(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} MB`
}

export function percent(part: number, whole: number): string {
  return `${whole === 0 ? 100 : Math.floor((part / whole) * 100)} %`
}
