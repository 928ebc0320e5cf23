package io.berth.schema.apply;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// Carries the ownership of `replicas` between an object and its `scale` subresource.
///
/// A `Scale` has no fields of its own: who owns `spec.replicas` of it owns the field of the object
/// behind it. Updaters of a scale lose their time on the way, as in Kubernetes.
public final class ScaleFields {

  private static final String SCALE_VERSION = "autoscaling/v1";
  private static final FieldSet SCALE_REPLICAS = FieldSet.of("spec.replicas");

  private final String apiVersion;
  private final FieldSet replicas;

  /// `replicasPath` is where the object of `apiVersion` has them: `spec.replicas`.
  public ScaleFields(String apiVersion, String replicasPath) {
    this.apiVersion = apiVersion;
    this.replicas = FieldSet.of(replicasPath);
  }

  /// The `managedFields` of the scale of `object`.
  public List<Tree> ofScale(Tree object) {
    var scale = new ManagedFields();
    read(object)
        .entries()
        .forEach((manager, entry) -> {
          if (ownsReplicas(entry)) {
            scale.put(
                manager, new ManagedFields.Entry(SCALE_VERSION, SCALE_REPLICAS, entry.time()));
          }
        });
    return scale.write();
  }

  /// The `managedFields` of `object` after its scale was written and has `scaleEntries`.
  public List<Tree> ofObject(Tree object, List<?> scaleEntries) {
    var before = read(object);
    var scale = ManagedFields.read(scaleEntries).orElseGet(ManagedFields::new).entries();
    var after = new ManagedFields();
    before
        .entries()
        .forEach((manager, entry) -> {
          if (!ownsReplicas(entry) || scale.remove(manager) != null) {
            after.put(manager, entry);
            return;
          }
          var rest = entry.fields().difference(replicas);
          if (!rest.isEmpty()) {
            after.put(manager, entry.withFields(rest));
          }
        });
    scale.forEach((manager, entry) -> {
      if (!entry.fields().intersection(SCALE_REPLICAS).isEmpty()) {
        var old = before.of(manager);
        after.put(
            inVersion(manager),
            new ManagedFields.Entry(apiVersion, replicas, old == null ? null : old.time()));
      }
    });
    return new ArrayList<>(after.write());
  }

  private Manager inVersion(Manager manager) {
    return manager.operation() == Manager.Operation.APPLY
        ? manager
        : new Manager(manager.name(), manager.operation(), apiVersion, manager.subresource());
  }

  private boolean ownsReplicas(ManagedFields.Entry entry) {
    return !entry.fields().intersection(replicas).isEmpty();
  }

  private static ManagedFields read(Tree object) {
    return ManagedFields.read(object.list("metadata", "managedFields"))
        .orElseGet(ManagedFields::new);
  }
}
