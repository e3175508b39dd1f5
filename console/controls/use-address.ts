import { useMemo } from 'preact/hooks'

/** Values of the address; the same object as long as the address does not change. */
export function useAddress<Values>(
  query: URLSearchParams,
  valuesIn: (query: URLSearchParams) => Values,
): Values {
  const address = query.toString()
  return useMemo(() => valuesIn(new URLSearchParams(address)), [address])
}
