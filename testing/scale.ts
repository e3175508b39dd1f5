/**
 * How much of a costly test runs, from `TEST_SCALE`: `smoke` (the default) proves each mechanism once, `full` takes the
 * durations and counts at which the figures of the documentation were measured.
 */
export function scaled<T>(sizes: { readonly smoke: T; readonly full: T }): T {
  const scale = process.env['TEST_SCALE'] || 'smoke'
  if (scale !== 'smoke' && scale !== 'full') {
    throw new Error(`TEST_SCALE is '${scale}'; it must be smoke or full`)
  }
  return sizes[scale]
}
