package io.berth.admission;

import java.util.List;

/// Gives ingresses that name no class the default one.
///
/// Mirrors: plugin/pkg/admission/network/defaultingressclass.classDefaulterPlugin
final class DefaultIngressClass implements AdmissionPlugin {

  private static final List<String> ANNOTATIONS =
      List.of("ingressclass.kubernetes.io/is-default-class");

  @Override
  public String name() {
    return "DefaultIngressClass";
  }

  @Override
  public void mutate(Attributes request, Lookup lookup) {
    if (!request.isFor(Others.INGRESSES) || !request.is(Operation.CREATE)) {
      return;
    }
    var ingress = request.object();
    boolean named =
        ingress.at("spec", "ingressClassName") != null
            || ingress.at("metadata", "annotations", "kubernetes.io/ingress.class") != null;
    if (!named) {
      DefaultClasses.find(lookup, Others.INGRESS_CLASSES, ANNOTATIONS)
          .ifPresent(name -> ingress.child("spec").put("ingressClassName", name));
    }
  }
}
