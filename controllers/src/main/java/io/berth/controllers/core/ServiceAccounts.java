package io.berth.controllers.core;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import io.berth.controllers.runtime.PodControl;

/// Gives every namespace its ServiceAccount `default` and its ConfigMap `kube-root-ca.crt`.
public final class ServiceAccounts implements Controller {

  private static final String ROOT_CA = "kube-root-ca.crt";
  private static final String DESCRIPTION =
      "Contains a CA bundle that can be used to verify the kube-apiserver when using internal"
          + " endpoints such as the internal service IP or kubernetes.default.svc. No other usage"
          + " is guaranteed across distributions of Kubernetes clusters.";
  private static final int WORKERS = 4;

  private final Environment environment;
  private final String rootCertificate;
  private final Cache namespaces;
  private final Cache accounts;
  private final Cache configMaps;
  private final Loop loop;

  /// `rootCertificate` is the PEM text of the certificate authority of the API server.
  public ServiceAccounts(Environment environment, String rootCertificate) {
    this.environment = environment;
    this.rootCertificate = rootCertificate;
    this.namespaces = environment.informers().of(Resource.NAMESPACES);
    this.accounts = environment.informers().of(Resource.SERVICE_ACCOUNTS);
    this.configMaps = environment.informers().of(Resource.CONFIG_MAPS);
    this.loop =
        new Loop("serviceaccount-controller", WORKERS, environment.timers(), this::reconcile);
    namespaces.onAny(namespace -> loop.add(Key.of(namespace)));
    accounts.onAny(account -> wake(account, "default"));
    configMaps.onAny(configMap -> wake(configMap, ROOT_CA));
  }

  @Override
  public String name() {
    return "serviceaccounts";
  }

  @Override
  public void start() {
    loop.start();
  }

  @Override
  public void close() {
    loop.close();
  }

  private void wake(Tree object, String name) {
    if (Meta.name(object).equals(name)) {
      loop.add(new Key("", Meta.namespace(object)));
    }
  }

  private void reconcile(Key key) {
    var namespace = namespaces.find(key).orElse(null);
    if (namespace == null || Meta.isDeleting(namespace)) {
      return;
    }
    if (accounts.find(new Key(key.name(), "default")).isEmpty()) {
      create(
          Resource.SERVICE_ACCOUNTS,
          Tree.of("apiVersion", "v1", "kind", "ServiceAccount")
              .put("metadata", Tree.of("name", "default", "namespace", key.name())));
    }
    var published = configMaps.find(new Key(key.name(), ROOT_CA)).orElse(null);
    if (published == null) {
      create(Resource.CONFIG_MAPS, rootCa(key.name()));
    } else if (!rootCertificate.equals(published.text("data", "ca.crt"))
        || published.treeOrEmpty("data").size() != 1) {
      var corrected = published.copy().put("data", Tree.of("ca.crt", rootCertificate));
      environment.cluster().update(Resource.CONFIG_MAPS, null, corrected);
    }
  }

  private Tree rootCa(String namespace) {
    return Tree.of("apiVersion", "v1", "kind", "ConfigMap")
        .put(
            "metadata",
            Tree.of("name", ROOT_CA, "namespace", namespace)
                .put("annotations", Tree.of("kubernetes.io/description", DESCRIPTION)))
        .put("data", Tree.of("ca.crt", rootCertificate));
  }

  private void create(Resource resource, Tree object) {
    try {
      environment.cluster().create(resource, object);
    } catch (ApiException e) {
      if (!e.is("AlreadyExists") && !e.is("NotFound") && !PodControl.isNamespaceEnding(e)) {
        throw e;
      }
    }
  }
}
