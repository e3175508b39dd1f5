/** Width and height as a command writes them: numbers, or negative for "computed from the other". */
export type WrittenSize = { width: number; height: number }

/**
 * The nearest size that encoders of 4:2:0 video take: odd numbers lowered by one, and -2 for a side that
 * the filter `scale` computes, which with -1 may become odd.
 */
export function evenSize({ width, height }: WrittenSize): WrittenSize {
  return { width: evenSide(width), height: evenSide(height) }
}

export function hasOddSide({ width, height }: WrittenSize): boolean {
  return [width, height].some((side) => side > 0 && side % 2 === 1)
}

function evenSide(side: number): number {
  if (side < 0) return -2
  return side === 1 ? 2 : side - (side % 2)
}
