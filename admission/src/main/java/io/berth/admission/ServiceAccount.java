package io.berth.admission;

import static io.berth.api.Resource.PODS;
import static io.berth.api.Resource.SERVICE_ACCOUNTS;

import io.berth.api.Chance;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/// Gives pods a service account, its pull secrets and a volume with its token.
///
/// Mirrors: plugin/pkg/admission/serviceaccount.Plugin
final class ServiceAccount implements AdmissionPlugin {

  private static final String TOKEN_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
  private static final String VOLUME_PREFIX = "kube-api-access-";
  private static final String SAFE_CHARACTERS = "bcdfghjklmnpqrstvwxz2456789";
  private static final long TOKEN_SECONDS = 3607;

  @Override
  public String name() {
    return "ServiceAccount";
  }

  @Override
  public void mutate(Attributes request, Lookup lookup) {
    if (!Pods.isCreatedBy(request)) {
      return;
    }
    var pod = request.object();
    // The kubelet would delete a mirror pod whose spec is not what it asked for.
    if (!Pods.isMirror(pod)) {
      fill(request, lookup, pod.child("spec"));
    }
    validate(request, lookup);
  }

  private static void fill(Attributes request, Lookup lookup, Tree spec) {
    if (spec.textOrEmpty("serviceAccountName").isEmpty()) {
      spec.put("serviceAccountName", "default");
      spec.put("serviceAccount", "default");
    }
    var account = accountOf(request, lookup);
    if (automounts(account, spec)) {
      mountToken(spec);
    }
    if (spec.list("imagePullSecrets").isEmpty() && !account.list("imagePullSecrets").isEmpty()) {
      spec.put("imagePullSecrets", Tree.copyOf(account.list("imagePullSecrets")));
    }
  }

  private static Tree accountOf(Attributes request, Lookup lookup) {
    var name = request.object().textOrEmpty("spec", "serviceAccountName");
    var account = lookup.find(SERVICE_ACCOUNTS, request.namespace(), name);
    if (account == null) {
      throw request.forbidden(
          "error looking up service account %s/%s: serviceaccount \"%s\" not found"
              .formatted(request.namespace(), name, name));
    }
    return account;
  }

  private static boolean automounts(Tree account, Tree spec) {
    if (spec.get("automountServiceAccountToken") instanceof Boolean asked) {
      return asked;
    }
    return !(account.get("automountServiceAccountToken") instanceof Boolean allowed) || allowed;
  }

  private static void mountToken(Tree spec) {
    var existing =
        spec.trees("volumes").stream()
            .map(volume -> volume.textOrEmpty("name"))
            .filter(name -> name.startsWith(VOLUME_PREFIX))
            .findFirst();
    var volume = existing.orElseGet(() -> VOLUME_PREFIX + suffix());
    boolean needed = mountInto(spec.trees("initContainers"), volume);
    needed |= mountInto(spec.trees("containers"), volume);
    if (needed && existing.isEmpty()) {
      spec.childList("volumes").add(tokenVolume(volume));
    }
  }

  private static boolean mountInto(List<Tree> containers, String volume) {
    boolean mounted = false;
    for (var container : containers) {
      if (container.trees("volumeMounts").stream()
          .noneMatch(mount -> mount.textOrEmpty("mountPath").equals(TOKEN_PATH))) {
        container
            .childList("volumeMounts")
            .add(Tree.of("mountPath", TOKEN_PATH, "name", volume, "readOnly", true));
        mounted = true;
      }
    }
    return mounted;
  }

  private static Tree tokenVolume(String name) {
    var token =
        Tree.of(
            "serviceAccountToken", Tree.of("expirationSeconds", TOKEN_SECONDS, "path", "token"));
    var certificate =
        Tree.of(
            "configMap",
            Tree.of(
                "items",
                List.of(Tree.of("key", "ca.crt", "path", "ca.crt")),
                "name",
                "kube-root-ca.crt"));
    var field = Tree.of("apiVersion", "v1", "fieldPath", "metadata.namespace");
    var namespace =
        Tree.of(
            "downwardAPI",
            Tree.of("items", List.of(Tree.of("fieldRef", field, "path", "namespace"))));
    var sources = new ArrayList<Object>(List.of(token, certificate, namespace));
    return Tree.of("name", name, "projected", Tree.of("defaultMode", 420, "sources", sources));
  }

  private static String suffix() {
    var random = Chance.or(ThreadLocalRandom.current());
    var suffix = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      suffix.append(SAFE_CHARACTERS.charAt(random.nextInt(SAFE_CHARACTERS.length())));
    }
    return suffix.toString();
  }

  @Override
  public void validate(Attributes request, Lookup lookup) {
    if (request.is(Operation.UPDATE) && request.isFor(PODS, "ephemeralcontainers")) {
      var account = accountOf(request, lookup);
      if (enforcesMountableSecrets(account)) {
        limitEnvironment(request, account, "ephemeralContainers", "ephemeral container");
      }
      return;
    }
    if (!Pods.isCreatedBy(request)) {
      return;
    }
    if (Pods.isMirror(request.object())) {
      validateMirror(request);
      return;
    }
    if (request.object().textOrEmpty("spec", "serviceAccountName").isEmpty()) {
      throw request.forbidden(
          "no service account specified for pod %s/%s"
              .formatted(request.namespace(), request.object().textOrEmpty("metadata", "name")));
    }
    var account = accountOf(request, lookup);
    if (enforcesMountableSecrets(account)) {
      limitSecrets(request, account);
    }
  }

  private static void validateMirror(Attributes request) {
    var pod = request.object();
    if (!pod.textOrEmpty("spec", "serviceAccountName").isEmpty()) {
      throw request.forbidden("a mirror pod may not reference service accounts");
    }
    if (Pods.referencesSecrets(pod)) {
      throw request.forbidden("a mirror pod may not reference secrets");
    }
    for (var volume : pod.trees("spec", "volumes")) {
      if (Pods.projects(volume, "serviceAccountToken")) {
        throw request.forbidden("a mirror pod may not use ServiceAccountToken volume projections");
      }
    }
  }

  private static boolean enforcesMountableSecrets(Tree account) {
    return account
        .textOrEmpty("metadata", "annotations", "kubernetes.io/enforce-mountable-secrets")
        .equals("true");
  }

  private static void limitSecrets(Attributes request, Tree account) {
    var mountable = names(account.trees("secrets"));
    for (var volume : request.object().trees("spec", "volumes")) {
      var secret = volume.text("secret", "secretName");
      if (secret != null && !mountable.contains(secret)) {
        throw request.forbidden(
            "volume with secret.secretName=\"%s\" is not allowed because service account %s does not reference that secret"
                .formatted(secret, account.textOrEmpty("metadata", "name")));
      }
    }
    limitEnvironment(request, account, "initContainers", "init container");
    limitEnvironment(request, account, "containers", "container");
    limitPullSecrets(request, account);
  }

  private static void limitEnvironment(
      Attributes request, Tree account, String containers, String what) {
    var mountable = names(account.trees("secrets"));
    for (var container : request.object().trees("spec", containers)) {
      for (var variable : container.trees("env")) {
        var secret = variable.text("valueFrom", "secretKeyRef", "name");
        if (secret != null && !mountable.contains(secret)) {
          throw request.forbidden(
              "%s %s with envVar %s referencing secret.secretName=\"%s\" is not allowed because service account %s does not reference that secret"
                  .formatted(
                      what,
                      container.textOrEmpty("name"),
                      variable.textOrEmpty("name"),
                      secret,
                      account.textOrEmpty("metadata", "name")));
        }
      }
    }
  }

  private static void limitPullSecrets(Attributes request, Tree account) {
    var allowed = names(account.trees("imagePullSecrets"));
    var used = request.object().trees("spec", "imagePullSecrets");
    for (int i = 0; i < used.size(); i++) {
      var secret = used.get(i).textOrEmpty("name");
      if (!allowed.contains(secret)) {
        throw request.forbidden(
            "imagePullSecrets[%d].name=\"%s\" is not allowed because service account %s does not reference that imagePullSecret"
                .formatted(i, secret, account.textOrEmpty("metadata", "name")));
      }
    }
  }

  private static Set<String> names(List<Tree> references) {
    var names = new HashSet<String>();
    references.forEach(reference -> names.add(reference.textOrEmpty("name")));
    return names;
  }
}
