{{/* The beginning of the names of all objects. */}}
{{- define "cloud-ffmpeg.name" -}}
{{- $own := .Values.nameOverride -}}
{{- $name := .Release.Name -}}
{{- if and $own (not (contains $own .Release.Name)) }}{{ $name = printf "%s-%s" .Release.Name $own }}{{ end -}}
{{- .Values.fullnameOverride | default $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "cloud-ffmpeg.runnerNamespace" -}}
{{- .Values.runner.namespace | default .Release.Namespace -}}
{{- end -}}

{{/* JSON list of the namespaces in which objects are accepted, that of the service's own first. */}}
{{- define "cloud-ffmpeg.watchedNamespaces" -}}
{{- prepend .Values.operator.watchNamespaces (include "cloud-ffmpeg.runnerNamespace" .) | uniq | toJson -}}
{{- end -}}

{{- define "cloud-ffmpeg.storageEndpoint" -}}
{{- if .Values.evaluation.enabled -}}
http://{{ include "cloud-ffmpeg.evaluationHost" (dict "root" . "component" "evaluation-storage") }}:7070
{{- else -}}
{{- .Values.storage.endpoint -}}
{{- end -}}
{{- end -}}

{{- define "cloud-ffmpeg.storageBucket" -}}
{{- ternary "cloud-ffmpeg" .Values.storage.bucket .Values.evaluation.enabled -}}
{{- end -}}

{{- define "cloud-ffmpeg.publicEndpoint" -}}
{{- $given := ternary .Values.evaluation.storageUrl .Values.storage.publicEndpoint .Values.evaluation.enabled -}}
{{- $given | default (include "cloud-ffmpeg.storageEndpoint" .) -}}
{{- end -}}

{{- define "cloud-ffmpeg.publicBaseUrl" -}}
{{- $bucket := printf "%s/%s" (trimSuffix "/" (include "cloud-ffmpeg.publicEndpoint" .)) (include "cloud-ffmpeg.storageBucket" .) -}}
{{- .Values.storage.publicBaseUrl | default (printf "%s/%s" $bucket .Values.storage.prefix | trimSuffix "/") -}}
{{- end -}}

{{/* Text where the operator may list and create Events in all namespaces. */}}
{{- define "cloud-ffmpeg.noticeForeign" -}}
{{- if and .Values.operator.noticeForeign .Values.rbac.clusterRoles }}true{{ end -}}
{{- end -}}

{{/* Environment of both servers: their settings are in config.json. Takes the root. */}}
{{- define "cloud-ffmpeg.commonEnv" -}}
- name: CLOUD_FFMPEG_CONFIG
  value: /etc/cloud-ffmpeg/config/config.json
- name: CLOUD_FFMPEG_DATABASE_URL_FILE
  value: /etc/cloud-ffmpeg/database/url
{{- if include "cloud-ffmpeg.directUrlKey" . }}
- name: CLOUD_FFMPEG_DATABASE_DIRECT_URL_FILE
  value: /etc/cloud-ffmpeg/database/directUrl
{{- end }}
{{- if .Values.database.caConfigMap }}
- name: CLOUD_FFMPEG_DATABASE_CA_FILE
  value: /etc/cloud-ffmpeg/database-ca/ca.crt
{{- end }}
{{- if .Values.trust.caConfigMap }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/cloud-ffmpeg/trust/ca.crt
{{- end }}
{{- if eq .Values.storage.credentials.mode "static" }}
- name: CLOUD_FFMPEG_STORAGE_CREDENTIALS_FOLDER
  value: /etc/cloud-ffmpeg/storage
{{- end }}
{{- if .Values.storage.presign.existingSecret.name }}
- name: CLOUD_FFMPEG_STORAGE_PRESIGN_FOLDER
  value: /etc/cloud-ffmpeg/storage-presign
{{- end }}
{{- end -}}

{{/* "true" where a Role in the namespace default lets the servers read the addresses of the Kubernetes API, else nothing. */}}
{{- define "cloud-ffmpeg.readsKubernetesApi" -}}
{{- if and .Values.rbac.clusterRoles (kindIs "invalid" .Values.network.kubernetesApi) }}true{{ end }}
{{- end }}

{{/* Hosts of the Ingress and the HTTPRoute, a JSON list. */}}
{{- define "cloud-ffmpeg.hosts" -}}
{{- $hosts := list -}}
{{- if .Values.ingress.enabled }}{{ range .Values.ingress.hosts }}{{ $hosts = append $hosts .host }}{{ end }}{{ end -}}
{{- if .Values.httpRoute.enabled }}{{ $hosts = concat $hosts .Values.httpRoute.hostnames }}{{ end -}}
{{- compact $hosts | toJson -}}
{{- end }}

{{/* Address of the service for its users as far as the values tell it; empty where they do not. */}}
{{- define "cloud-ffmpeg.publicUrl" -}}
{{- $host := first (include "cloud-ffmpeg.hosts" . | fromJsonArray) -}}
{{- if .Values.accounts.publicUrl -}}
{{- trimSuffix "/" .Values.accounts.publicUrl -}}
{{- else if $host -}}
{{- ternary "https" "http" (or (not (empty .Values.ingress.tls)) .Values.httpRoute.enabled) }}://{{ $host -}}
{{- end -}}
{{- end }}
