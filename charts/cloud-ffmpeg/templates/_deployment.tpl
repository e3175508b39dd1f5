{{/*
The Deployment of a server. Takes root, component, of (its values), env (YAML), ports (YAML), probePort,
startSeconds, and volumes and volumeMounts (lists).
*/}}
{{- define "cloud-ffmpeg.deployment" -}}
{{- $values := .root.Values }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "cloud-ffmpeg.name" .root }}-{{ .component }}
  namespace: {{ .root.Release.Namespace | quote }}
  {{- include "cloud-ffmpeg.metadata" (merge (dict "annotations" .of.deploymentAnnotations) .) | nindent 2 }}
spec:
  {{- if not (dig "autoscaling" "enabled" false .of) }}
  replicas: {{ .of.replicas }}
  {{- end }}
  revisionHistoryLimit: {{ .of.revisionHistoryLimit }}
  minReadySeconds: {{ .of.minReadySeconds }}
  selector:
    matchLabels: {{- include "cloud-ffmpeg.selectorLabels" . | nindent 6 }}
  strategy: {{- toYaml (eq .of.strategy.type "Recreate" | ternary (dict "type" "Recreate") .of.strategy) | nindent 4 }}
  template:
    metadata:
      {{- include "cloud-ffmpeg.podMetadata" . | nindent 6 }}
    spec:
      serviceAccountName: {{ include "cloud-ffmpeg.serviceAccountName" . | quote }}
      {{- include "cloud-ffmpeg.podBasics" . | nindent 6 }}
      terminationGracePeriodSeconds: {{ .of.terminationGracePeriodSeconds }}
      {{- include "cloud-ffmpeg.nameResolution" .of | nindent 6 }}
      {{- with .of.initContainers }}
      initContainers: {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .component | quote }}
          {{- include "cloud-ffmpeg.containerBasics" . | nindent 10 }}
          env:
            {{- .env | trim | nindent 12 }}
            {{- with .of.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          {{- with .of.extraEnvFrom }}
          envFrom: {{- toYaml . | nindent 12 }}
          {{- end }}
          ports: {{- .ports | trim | nindent 12 }}
          {{- range $kind, $defaults := dict "startup" (dict "path" "/livez" "periodSeconds" 1 "timeoutSeconds" 5 "failureThreshold" .startSeconds) "liveness" (dict "path" "/livez" "periodSeconds" 10 "timeoutSeconds" 5) "readiness" (dict "path" "/readyz" "periodSeconds" 2 "timeoutSeconds" 3) }}
          {{ $kind }}Probe:
            httpGet: { path: {{ $defaults.path }}, port: {{ $.probePort }} }
            {{- merge (index $.of.probes $kind | deepCopy) (omit $defaults "path") | toYaml | nindent 12 }}
          {{- end }}
          {{- with .of.lifecycle }}
          lifecycle: {{- toYaml . | nindent 12 }}
          {{- end }}
          resources: {{- toYaml .of.resources | nindent 12 }}
          {{- with concat (include "cloud-ffmpeg.mounts" . | fromJsonArray) .volumeMounts .of.extraVolumeMounts }}
          volumeMounts: {{- toYaml . | nindent 12 }}
          {{- end }}
        {{- with .of.extraContainers }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with concat (include "cloud-ffmpeg.volumes" . | fromJsonArray) .volumes .of.extraVolumes }}
      volumes: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- $placed := set (deepCopy .of) "topologySpreadConstraints" (include "cloud-ffmpeg.spread" . | fromYamlArray) }}
      {{- include "cloud-ffmpeg.placement" (dict "root" .root "of" $placed) | nindent 6 }}
{{- end -}}

{{/* Labels and annotations of a server's pods. */}}
{{- define "cloud-ffmpeg.podMetadata" -}}
{{- $checksum := dict "checksum/secrets" (include "cloud-ffmpeg.secretsChecksum" .) "checksum/config" (include "cloud-ffmpeg.config" . | sha256sum) -}}
{{- $prometheus := .root.Values.prometheus -}}
{{- $scrape := dict -}}
{{- if $prometheus.scrapeAnnotations -}}
{{- $scrape = dict "prometheus.io/scrape" "true" "prometheus.io/port" (toString .root.Values.metrics.port) "prometheus.io/path" "/metrics" -}}
{{- end -}}
{{- $annotations := merge $checksum (deepCopy .of.podAnnotations) $scrape -}}
{{- $labels := merge (dict "cloudffmpeg.dev/metrics" "servers") (deepCopy .of.podLabels) -}}
{{- include "cloud-ffmpeg.metadata" (dict "root" .root "component" .component "labels" $labels "annotations" $annotations) -}}
{{- end -}}

{{/* JSON list of spread constraints: those given, or over nodes and zones as far as there is room. */}}
{{- define "cloud-ffmpeg.spread" -}}
{{- $spread := .of.topologySpreadConstraints -}}
{{- if and (not $spread) .of.defaultTopologySpread -}}
{{- $labels := include "cloud-ffmpeg.selectorLabels" . | fromYaml -}}
{{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" -}}
{{- $one := dict "maxSkew" 1 "topologyKey" . "whenUnsatisfiable" "ScheduleAnyway" "labelSelector" (dict "matchLabels" $labels) "matchLabelKeys" (list "pod-template-hash") -}}
{{- $spread = append $spread $one -}}
{{- end -}}
{{- end -}}
{{- toJson $spread -}}
{{- end -}}

{{- define "cloud-ffmpeg.leastReplicas" -}}
{{- ternary (dig "autoscaling" "minReplicas" 1 .) .replicas (dig "autoscaling" "enabled" false .) -}}
{{- end -}}
