package io.berth.workloads.serve;

import io.berth.workloads.http.Refusal;
import io.berth.workloads.rest.Routes;
import java.util.List;

/// Operations that exist in Run:ai and not here: they say so, with 501.
public final class NotServedRoutes {

  private record Missing(String method, String path, String what) {}

  private static final List<Missing> ALL =
      List.of(
          new Missing("POST", "/api/v2/workloads", "Submitting manifests (v2)"),
          new Missing("GET", "/api/v2/workloads/{workloadV2Id}", "A workload of a manifest (v2)"),
          new Missing("PUT", "/api/v2/workloads/{workloadV2Id}", "A workload of a manifest (v2)"),
          new Missing(
              "DELETE", "/api/v2/workloads/{workloadV2Id}", "A workload of a manifest (v2)"),
          new Missing("GET", "/api/v2/policy/nim-services", "The policy of NIM services"),
          new Missing("PUT", "/api/v2/policy/nim-services", "The policy of NIM services"),
          new Missing("PATCH", "/api/v2/policy/nim-services", "The policy of NIM services"),
          new Missing("DELETE", "/api/v2/policy/nim-services", "The policy of NIM services"),
          new Missing(
              "GET",
              "/api/v1/clusters/{clusterUuid}/cluster-install-info",
              "Installing a cluster from here"),
          new Missing(
              "GET", "/api/v1/asset/datasource/pvc/{assetId}/history", "The history of a PVC"));

  private NotServedRoutes() {}

  public static void addTo(Routes routes) {
    for (var each : ALL) {
      var name =
          each.method().toLowerCase(java.util.Locale.ROOT)
              + each.path().replaceAll("[^A-Za-z0-9]+", "_");
      var route =
          switch (each.method()) {
            case "GET" -> routes.get(each.path(), name, _ -> refuse(each));
            case "POST" -> routes.post(each.path(), name, _ -> refuse(each));
            case "PUT" -> routes.put(each.path(), name, _ -> refuse(each));
            case "PATCH" -> routes.patch(each.path(), name, _ -> refuse(each));
            default -> routes.delete(each.path(), name, _ -> refuse(each));
          };
      route.answersOnly(501);
    }
  }

  private static io.berth.workloads.http.Answer refuse(Missing missing) {
    throw Refusal.notServed(missing.what());
  }
}
