{{- define "cloud-ffmpeg.selectorLabels" -}}
app.kubernetes.io/name: {{ .root.Values.nameOverride | default "cloud-ffmpeg" | quote }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .component | quote }}
{{- end -}}

{{/* A version as the value of a label, and as the tag of an image: neither may hold the + of a build. */}}
{{- define "cloud-ffmpeg.labelValue" -}}
{{- regexReplaceAll "[^A-Za-z0-9_.-]" . "_" | trunc 63 | trimAll "-_." -}}
{{- end -}}

{{/* Labels of an object or of pods; those that a selector names cannot be overridden. */}}
{{- define "cloud-ffmpeg.labels" -}}
{{- $own := include "cloud-ffmpeg.selectorLabels" . | fromYaml -}}
{{- $_ := set $own "app.kubernetes.io/version" (include "cloud-ffmpeg.labelValue" .root.Chart.AppVersion) -}}
{{- $_ := set $own "app.kubernetes.io/managed-by" .root.Release.Service -}}
{{- $_ := set $own "helm.sh/chart" (printf "%s-%s" .root.Chart.Name .root.Chart.Version | include "cloud-ffmpeg.labelValue") -}}
{{- merge $own (deepCopy (.labels | default dict)) (deepCopy .root.Values.commonLabels) | toYaml -}}
{{- end -}}

{{/* Labels and annotations of an object: its own, and those that all objects have. */}}
{{- define "cloud-ffmpeg.metadata" -}}
labels: {{- include "cloud-ffmpeg.labels" . | nindent 2 }}
{{- with merge (deepCopy (.annotations | default dict)) (deepCopy .root.Values.commonAnnotations) }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Annotations of an object that exists for as long as the Job before helm uninstall. */}}
{{- define "cloud-ffmpeg.uninstallHook" -}}
helm.sh/hook: pre-delete
helm.sh/hook-weight: {{ . | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end -}}
