{{/* JSON of what a runner's pod has beside what its command needs, of `runner` or of one of its profiles. */}}
{{- define "cloud-ffmpeg.runnerPod" -}}
{{- $pod := dict -}}
{{- range $field, $value := dict "annotations" .podAnnotations "labels" .podLabels "affinity" .affinity "topologySpreadConstraints" .topologySpreadConstraints "schedulerName" .schedulerName "dnsPolicy" .dnsPolicy "dnsConfig" .dnsConfig -}}
{{- if $value }}{{ $_ := set $pod $field $value }}{{ end -}}
{{- end -}}
{{- range $field, $value := dict "securityContext" .podSecurityContext "containerSecurityContext" .containerSecurityContext -}}
{{- if kindIs "map" $value }}{{ $_ := set $pod $field $value }}{{ end -}}
{{- end -}}
{{- toJson $pod -}}
{{- end -}}

{{/* JSON of `runner` or a profile (`of`) with the labels and annotations that all objects have, where it has some of its own. */}}
{{- define "cloud-ffmpeg.runnerMetadata" -}}
{{- $of := deepCopy .of -}}
{{- range $field, $common := dict "podLabels" .root.Values.commonLabels "podAnnotations" .root.Values.commonAnnotations -}}
{{- if or $.all (get $of $field) }}{{ $_ := set $of $field (merge (get $of $field | default dict) (deepCopy $common)) }}{{ end -}}
{{- end -}}
{{- if .all -}}
{{- range $field := list "podSecurityContext" "containerSecurityContext" }}{{ $_ := set $of $field (get $of $field | default dict) }}{{ end -}}
{{- end -}}
{{- toJson $of -}}
{{- end -}}

{{/* JSON of the affinity of a profile (`of`), or of that of all runners, to nodes of its architectures alone. */}}
{{- define "cloud-ffmpeg.runnerAffinity" -}}
{{- $affinity := deepCopy (.of.affinity | default .root.Values.runner.affinity) -}}
{{- with .of.arch -}}
{{- $on := dict "key" "kubernetes.io/arch" "operator" "In" "values" . -}}
{{- $node := $affinity.nodeAffinity | default dict -}}
{{- $required := $node.requiredDuringSchedulingIgnoredDuringExecution | default dict -}}
{{- $terms := list -}}
{{- range $required.nodeSelectorTerms -}}
{{- /* An empty term matches no node; with an expression it would. */ -}}
{{- if . -}}{{- $_ := set . "matchExpressions" (append (.matchExpressions | default list) $on) -}}{{- end -}}
{{- $terms = append $terms . -}}
{{- end -}}
{{- $_ := set $required "nodeSelectorTerms" ($terms | default (list (dict "matchExpressions" (list $on)))) -}}
{{- $_ := set $node "requiredDuringSchedulingIgnoredDuringExecution" $required -}}
{{- $_ := set $affinity "nodeAffinity" $node -}}
{{- end -}}
{{- toJson $affinity -}}
{{- end -}}

{{/* JSON of the profiles, as the operator reads them. */}}
{{- define "cloud-ffmpeg.runnerProfiles" -}}
{{- $profiles := dict -}}
{{- range $name, $given := .Values.runner.profiles -}}
{{- $profile := include "cloud-ffmpeg.runnerMetadata" (dict "root" $ "of" $given) | fromJson -}}
{{- $own := omit $profile "podAnnotations" "podLabels" "affinity" "topologySpreadConstraints" "schedulerName" "dnsPolicy" "dnsConfig" "arch" -}}
{{- $own = omit $own "spot" -}}
{{- if or $profile.nodeSelector $profile.arch -}}
{{- $nodes := $profile.nodeSelector | default $.Values.runner.nodeSelector -}}
{{- $_ := set $own "nodeSelector" (include "cloud-ffmpeg.nodeSelector" (dict "root" $ "given" $nodes "arch" $profile.arch) | fromJson) -}}
{{- end -}}
{{- with $profile.spot -}}
{{- $_ := set $own "spot" (dict "fallback" (kindIs "map" . | ternary . dict).fallback) -}}
{{- end -}}
{{- $affinity := empty $profile.arch | ternary $profile.affinity (include "cloud-ffmpeg.runnerAffinity" (dict "root" $ "of" $profile) | fromJson) -}}
{{- with include "cloud-ffmpeg.runnerPod" (merge (dict "affinity" $affinity) $profile) | fromJson }}{{ $own = set $own "pod" . }}{{ end -}}
{{- $_ := set $profiles $name $own -}}
{{- end -}}
{{- toJson $profiles -}}
{{- end -}}

{{/* Name of the chart's PriorityClass for commands of a priority. */}}
{{- define "cloud-ffmpeg.priorityClass" -}}
{{ .root.Release.Namespace }}-{{ include "cloud-ffmpeg.name" .root }}-{{ .priority }}
{{- end -}}
