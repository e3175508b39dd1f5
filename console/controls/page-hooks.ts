import { useEffect, useMemo } from 'preact/hooks'

/** A store that lives as long as the component is drawn with the same inputs. */
export function useStore<Store extends { readonly close: () => void }>(
  create: () => Store,
  inputs: readonly unknown[],
): Store {
  const store = useMemo(create, inputs)
  useEffect(() => () => store.close(), [store])
  return store
}

/** Values of the address; the same object as long as the address does not change. */
export function useAddress<Values>(
  query: URLSearchParams,
  valuesIn: (query: URLSearchParams) => Values,
): Values {
  const address = query.toString()
  return useMemo(() => valuesIn(new URLSearchParams(address)), [address])
}
