{{/* The image of a component; `of` holds its tag and digest. */}}
{{- define "cloud-ffmpeg.image" -}}
{{- $registry := required "\n\nimage.registry is not set: Cloud FFmpeg's images are in a registry of yours. From the repository's root:\n\n  npm run images -- --registry REGISTRY --push\n  helm upgrade --install cloud-ffmpeg charts/cloud-ffmpeg --set image.registry=REGISTRY ...\n" .root.Values.image.registry -}}
{{- $repository := .of.repository | default (printf "cloud-ffmpeg/%s" .component) -}}
{{- $name := printf "%s/%s" (trimSuffix "/" $registry) (trimAll "/" $repository) -}}
{{- if .of.digest -}}
{{- printf "%s@%s" $name .of.digest -}}
{{- else -}}
{{- printf "%s:%s" $name (.of.tag | default .root.Values.image.tag | default (include "cloud-ffmpeg.labelValue" .root.Chart.AppVersion)) -}}
{{- end -}}
{{- end -}}

{{/* JSON list of {name}. */}}
{{- define "cloud-ffmpeg.pullSecrets" -}}
{{- concat .Values.image.pullSecrets .Values.imagePullSecrets | uniq | toJson -}}
{{- end -}}

{{/* What every pod of the release has, beside that of its component (`of`). */}}
{{- define "cloud-ffmpeg.podBasics" -}}
enableServiceLinks: false
{{- with include "cloud-ffmpeg.pullSecrets" .root | fromJsonArray }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext: {{- toYaml .of.podSecurityContext | nindent 2 }}
{{- end -}}

{{/* How a pod finds the names of hosts. */}}
{{- define "cloud-ffmpeg.nameResolution" -}}
{{- with .hostAliases }}
hostAliases: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .dnsPolicy }}
dnsPolicy: {{ . | quote }}
{{- end }}
{{- with .dnsConfig }}
dnsConfig: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* What every container of ours has. */}}
{{- define "cloud-ffmpeg.containerBasics" -}}
image: {{ include "cloud-ffmpeg.image" . }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext: {{- toYaml .of.containerSecurityContext | nindent 2 }}
{{- end -}}

{{/*
JSON of the labels of nodes for pods with our images: those given, Linux, and the architecture of the images unless
`arch` says that others are named elsewhere. Without them, a pod that comes to another node fails to pull or to start.
*/}}
{{- define "cloud-ffmpeg.nodeSelector" -}}
{{- $own := dict "kubernetes.io/os" "linux" -}}
{{- if and .root.Values.image.arch (not .arch) }}{{ $_ := set $own "kubernetes.io/arch" .root.Values.image.arch }}{{ end -}}
{{- merge (deepCopy (.given | default dict)) $own | toJson -}}
{{- end -}}

{{/* The nodes for pods with our images: root, of, and `arch` as above. */}}
{{- define "cloud-ffmpeg.placement" -}}
nodeSelector: {{- include "cloud-ffmpeg.nodeSelector" (dict "root" .root "given" .of.nodeSelector "arch" .arch) | fromJson | toYaml | nindent 2 }}
{{- with .of }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .topologySpreadConstraints }}
topologySpreadConstraints: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "cloud-ffmpeg.serviceAccountName" -}}
{{- .of.serviceAccount.name | default (printf "%s-%s" (include "cloud-ffmpeg.name" .root) .component) -}}
{{- end -}}

{{/* The ServiceAccount of a server. */}}
{{- define "cloud-ffmpeg.serviceAccount" -}}
{{- $account := .of.serviceAccount -}}
{{- if $account.create }}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "cloud-ffmpeg.serviceAccountName" . | quote }}
  namespace: {{ .root.Release.Namespace | quote }}
  {{- include "cloud-ffmpeg.metadata" (merge (dict "labels" $account.labels "annotations" $account.annotations) .) | nindent 2 }}
automountServiceAccountToken: {{ $account.automountServiceAccountToken }}
---
{{- end }}
{{- end -}}
