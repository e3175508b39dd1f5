{{/* JSON of those of `values` that the tree `names` has; helm leaves out what is null. */}}
{{- define "cloud-ffmpeg.picked" -}}
{{- $picked := dict -}}
{{- range $name, $under := .names -}}
{{- if hasKey $.values $name -}}
{{- $value := get $.values $name -}}
{{- if $under }}{{ $value = include "cloud-ffmpeg.picked" (dict "values" $value "names" $under) | fromJson }}{{ end -}}
{{- $_ := set $picked $name $value -}}
{{- else if kindIs "invalid" $under -}}
{{- $_ := set $picked $name nil -}}
{{- end -}}
{{- end -}}
{{- toJson $picked -}}
{{- end -}}

{{/*
config.json of a program (root, component): the values that it reads, by files/settings.json, and what the chart derives.
*/}}
{{- define "cloud-ffmpeg.config" -}}
{{- $names := get (.root.Files.Get "files/settings.json" | fromJson) .component -}}
{{- $values := include "cloud-ffmpeg.picked" (dict "values" .root.Values "names" $names) | fromJson -}}
{{- $derived := include (printf "cloud-ffmpeg.derived.%s" .component) .root | fromYaml -}}
{{- mergeOverwrite $values (include "cloud-ffmpeg.derived" .root | fromYaml) $derived | toPrettyJson -}}
{{- end -}}

{{- define "cloud-ffmpeg.derived" -}}
{{- $name := include "cloud-ffmpeg.name" . -}}
{{- $api := printf "%s-api-server.%s.svc:%v" $name .Release.Namespace .Values.apiServer.service.port -}}
{{- $gateway := printf "%s:%v" (include "cloud-ffmpeg.gatewayHost" .) .Values.gateway.port -}}
release: { name: {{ .Release.Name | quote }}, namespace: {{ .Release.Namespace | quote }}, fullname: {{ $name | quote }} }
runner:
  namespace: {{ include "cloud-ffmpeg.runnerNamespace" . | quote }}
storage:
  endpoint: {{ include "cloud-ffmpeg.storageEndpoint" . | quote }}
  publicEndpoint: {{ include "cloud-ffmpeg.publicEndpoint" . | quote }}
  publicBaseUrl: {{ include "cloud-ffmpeg.publicBaseUrl" . | quote }}
  bucket: {{ include "cloud-ffmpeg.storageBucket" . | quote }}
network:
  ownEndpoints: {{ list $api $gateway "kubernetes.default.svc:443" | toJson }}
{{- end -}}

{{- define "cloud-ffmpeg.derived.operator" -}}
{{- $secrets := list }}
{{- range include "cloud-ffmpeg.pullSecrets" . | fromJsonArray }}{{ $secrets = append $secrets .name }}{{ end }}
gateway:
  url: {{ include "cloud-ffmpeg.gatewayUrl" . | quote }}
runner:
  image: {{ include "cloud-ffmpeg.image" (dict "root" . "component" "runner" "of" .Values.runner) | quote }}
  imagePullSecrets: {{ toJson $secrets }}
  nodeSelector: {{ include "cloud-ffmpeg.nodeSelector" (dict "root" . "given" .Values.runner.nodeSelector) }}
  pod: {{ include "cloud-ffmpeg.runnerMetadata" (dict "root" . "of" .Values.runner "all" true) | fromJson | include "cloud-ffmpeg.runnerPod" }}
  profiles: {{ include "cloud-ffmpeg.runnerProfiles" . }}
  {{- if .Values.runner.priorityClasses.create }}
  priorityClassNames:
    {{- range $priority := list "low" "normal" "high" }}
    {{ $priority }}: {{ include "cloud-ffmpeg.priorityClass" (dict "root" $ "priority" $priority) | quote }}
    {{- end }}
  {{- end }}
{{- end -}}

{{- define "cloud-ffmpeg.derived.api-server" -}}
{{- if not .Values.bootstrap.existingSecret -}}
bootstrap:
  generatedSecret: {{ printf "%s/%s" .Release.Namespace (include "cloud-ffmpeg.bootstrapSecret" .) | quote }}
{{- end -}}
{{- end -}}

{{/* The ConfigMap of a program: root, component. */}}
{{- define "cloud-ffmpeg.configMap" -}}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "cloud-ffmpeg.name" .root }}-{{ .component }}
  namespace: {{ .root.Release.Namespace | quote }}
  {{- include "cloud-ffmpeg.metadata" (dict "root" .root "component" .component) | nindent 2 }}
data:
  config.json: |
    {{- include "cloud-ffmpeg.config" . | nindent 4 }}
{{- end -}}
