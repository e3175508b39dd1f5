import { apiGroup, commandPlural, storedFilePlural } from '../../common/domain/resource-names.ts'

/** Instructions for kubectl alone, for a namespace that cannot be deleted. */
export function releaseByHand(namespace: string): string {
  const kubectl = `kubectl -n ${namespace}`
  const kinds = [commandPlural, storedFilePlural].map((plural) => `${plural}.${apiGroup}`).join()
  const patch = `'{"metadata":{"finalizers":null}}'`
  return `With kubectl, which takes every finalizer off these objects:

  ${kubectl} get ${kinds} -o name | xargs -r ${kubectl} patch --type=merge -p ${patch}
`
}
