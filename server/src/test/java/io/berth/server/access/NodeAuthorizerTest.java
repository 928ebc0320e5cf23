package io.berth.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.admission.User;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Yaml;
import io.berth.server.access.Authorizer.Request;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a kubelet comes to through pods, claims and volumes; the rest is recorded from Kubernetes.
class NodeAuthorizerTest {

  private static final List<Tree> PODS =
      List.of(
          Yaml.read(
              """
              metadata: {namespace: shop, name: web}
              spec:
                nodeName: n1
                volumes: [{name: v, persistentVolumeClaim: {claimName: disk}}]
                resourceClaims:
                - {name: a, resourceClaimName: gpu}
                - {name: b, resourceClaimTemplateName: t}
              status:
                resourceClaimStatuses: [{name: b, resourceClaimName: made}]
                extendedResourceClaimStatus: {resourceClaimName: extended}
              """),
          Yaml.read(
              """
              metadata:
                namespace: shop
                name: mirror
                annotations: {kubernetes.io/config.mirror: x}
              spec:
                nodeName: n1
                serviceAccountName: stolen
                volumes: [{name: s, secret: {secretName: stolen}}]
              """));

  private static final List<Tree> VOLUMES =
      List.of(
          Yaml.read(
              """
              metadata: {name: bound}
              spec:
                claimRef: {namespace: shop, name: disk}
                csi:
                  nodeStageSecretRef: {namespace: storage, name: stage}
                  controllerPublishSecretRef: {namespace: storage, name: controller}
              """),
          Yaml.read(
              """
              metadata: {name: old}
              spec:
                claimRef: {namespace: shop, name: disk}
                rbd: {secretRef: {name: rbd}}
              """),
          Yaml.read(
              """
              metadata: {name: other}
              spec:
                claimRef: {namespace: shop, name: other}
                csi: {nodeStageSecretRef: {namespace: storage, name: other}}
              """),
          Yaml.read("metadata: {name: free}\nspec: {csi: {driver: d}}"));

  private final NodeAuthorizer authorizer = new NodeAuthorizer(new MadeUp(), List.of());

  @ParameterizedTest
  @CsvSource({
    "'', persistentvolumes, '', bound, true",
    "'', persistentvolumes, '', old, true",
    "'', persistentvolumes, '', other, false",
    "'', persistentvolumes, '', free, false",
    "'', persistentvolumes, '', missing, false",
    "'', secrets, storage, stage, true",
    "'', secrets, storage, controller, false",
    "'', secrets, storage, other, false",
    "'', secrets, shop, stage, false",
    "'', secrets, shop, rbd, true",
    "'', secrets, shop, stolen, false",
    "'', serviceaccounts, shop, stolen, false",
    "'', pods, shop, mirror, true",
    "resource.k8s.io, resourceclaims, shop, gpu, true",
    "resource.k8s.io, resourceclaims, shop, made, true",
    "resource.k8s.io, resourceclaims, shop, extended, true",
    "resource.k8s.io, resourceclaims, shop, t, false",
    "resource.k8s.io, resourceclaims, other, gpu, false"
  })
  void aKubeletReadsWhatItsPodsNeed(
      String group, String resource, String namespace, String name, boolean allowed) {
    assertThat(asked("n1", group, resource, namespace, name)).isEqualTo(allowed);
    assertThat(asked("n2", group, resource, namespace, name)).as("another node").isFalse();
  }

  private boolean asked(String node, String group, String resource, String namespace, String name) {
    var user = new User("system:node:" + node, "", List.of("system:nodes"), Map.of());
    return authorizer
        .decide(new Request(user, "get", group, "v1", resource, "", namespace, name, ""))
        .allowed();
  }

  private static final class MadeUp implements Objects {

    @Override
    public @Nullable Tree find(Resource resource, String namespace, String name) {
      return list(resource, namespace).stream()
          .filter(each -> each.textOrEmpty("metadata", "name").equals(name))
          .findFirst()
          .orElse(null);
    }

    @Override
    public List<Tree> list(Resource resource, String namespace) {
      return resource.equals(Resource.PODS)
          ? PODS
          : resource.equals(Resource.PERSISTENT_VOLUMES) ? VOLUMES : List.of();
    }

    @Override
    public List<Tree> podsOn(String node) {
      return node.equals("n1") ? PODS : List.of();
    }
  }
}
