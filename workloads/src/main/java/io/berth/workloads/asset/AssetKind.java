package io.berth.workloads.asset;

import io.berth.workloads.access.ResourceType;
import java.util.List;

/// The kinds of assets, and what differs between them.
enum AssetKind {
  COMPUTE("compute", "compute", "Compute", ResourceType.COMPUTE_RESOURCES),
  ENVIRONMENT("environment", "environment", "Environment", ResourceType.ENVIRONMENTS),
  ACCESS_KEY("credentials/access-key", "accessKey", "AccessKeyAsset", ResourceType.CREDENTIALS),
  DOCKER_REGISTRY(
      "credentials/docker-registry", "dockerRegistry", "DockerRegistry", ResourceType.CREDENTIALS),
  GENERIC_SECRET(
      "credentials/generic-secret", "genericSecret", "GenericSecret", ResourceType.CREDENTIALS),
  NGC_API_KEY("credentials/ngc-api-key", "ngcApiKey", "NgcApiKey", ResourceType.CREDENTIALS),
  PASSWORD("credentials/password", "password", "Password", ResourceType.CREDENTIALS),
  HOST_PATH("datasource/host-path", "hostPath", "HostPath", ResourceType.HOST_PATH_ASSETS),
  PVC("datasource/pvc", "pvc", "PVC", ResourceType.PVC_ASSETS);

  /// Fields that are kept in a Secret and never shown.
  static final List<String> SECRETS =
      List.of(
          "password",
          "secretAccessKey",
          "accessKeyId",
          "keyValuePairs",
          "apiKey",
          "ngcApiKey",
          "ngc_api_key");

  private final String path;
  private final String listed;
  private final String table;
  private final ResourceType access;

  AssetKind(String path, String listed, String table, ResourceType access) {
    this.path = path;
    this.listed = listed;
    this.table = table;
    this.access = access;
  }

  String path() {
    return path;
  }

  /// Its name in `meta.kind`.
  String listed() {
    return listed;
  }

  String creationType() {
    return table + "CreationRequest";
  }

  String updateType() {
    return table + "UpdateRequest";
  }

  ResourceType access() {
    return access;
  }

  boolean isCredential() {
    return path.startsWith("credentials/");
  }

  boolean isDataSource() {
    return path.startsWith("datasource/");
  }

  /// Two of the credentials answer a deletion without a body.
  boolean isDeletedSilently() {
    return this == GENERIC_SECRET || this == NGC_API_KEY;
  }
}
