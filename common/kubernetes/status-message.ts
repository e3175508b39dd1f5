import { listIn, objectIn } from './read-json.ts'
import { isJsonObject } from '../json/json-object.ts'
import type { JsonObject } from '../json/json-object.ts'

/**
 * Message of a `Status` object of the API server that may be logged and shown. Its validation errors repeat
 * the refused values, and those can be signed URLs; so values and the tails of URLs are cut.
 */
export function safeStatusMessage(status: JsonObject): string {
  const causes = listIn(objectIn(status, 'details'), 'causes').filter(isJsonObject)
  const isValidation = status['reason'] === 'Invalid' && causes.length > 0
  const text = isValidation ? causes.map(causeText).join('; ') : textOf(status['message'])
  return shortened(withoutUrlTails(withoutValues(text)))
}

function causeText(cause: JsonObject): string {
  return [textOf(cause['field']), textOf(cause['message'])].filter((part) => part !== '').join(': ')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/**
 * E.g. `Invalid value: "x": must be …`. Values come as a Go string, as JSON or as a bare word; a rule
 * of a custom resource may come without one, and then its words are kept.
 */
function withoutValues(text: string): string {
  return text.replace(
    /\b((?:Invalid|Unsupported|Duplicate) value): (?:"(?:[^"\\]|\\.)*"|\{.*\}|\[.*\]|[^\s:"]+)(?=: |[;,\]]|$)/g,
    '$1',
  )
}

function withoutUrlTails(text: string): string {
  return text.replace(/:\/\/(?:[^\s"'/@]*@)?([^\s"'/?#]+)[^\s"']*/g, '://$1/…')
}

function shortened(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text
}

/**
 * A ResourceQuota is exhausted or not counted yet, or a LimitRange allows less. Plugins of admission have no reason of
 * their own, and webhooks choose any status: the text is all there is.
 */
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
