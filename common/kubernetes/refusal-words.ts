/**
 * The words of the API server for what it refuses now and may accept later. Plugins of admission have no reason of their
 * own, and webhooks choose any status: the text is all there is.
 */

/** A ResourceQuota is exhausted or not counted yet, or a LimitRange allows less. */
export function saysQuota(text: string): boolean {
  return quotaWords.test(text)
}

const quotaWords =
  /exceeded quota|failed quota|insufficient quota|status unknown for quota|(?:maximum|minimum) \S+ usage per|max limit to request ratio/i

/** A policy of the cluster: a webhook, which may be down, a ValidatingAdmissionPolicy or Pod Security. */
export function saysPolicy(text: string): boolean {
  return policyWords.test(text)
}

const policyWords =
  /admission webhook|denied (?:the )?request|(?:Validating|Mutating)AdmissionPolicy|failed calling webhook|violates PodSecurity/i

/** The same text without the names of objects, policies and quotas of the cluster, for users. */
export function withoutClusterNames(text: string): string {
  return text
    .replace(/^Error creating: /, '')
    .replace(/^create \w+: \d+ \w+ /, '')
    .replace(/\b[a-z]+(?:\.[a-z.\d]+)? "[^"]*" is (?:forbidden|invalid): /g, '')
    .replace(/ (?:with binding )?(?:"[^"]*"|'[^']*')/g, '')
    .replace(/((?:exceeded|failed|insufficient) quota|unknown for quota): [^\s,:]+[,:]? ?/g, '$1: ')
    .trim()
}
