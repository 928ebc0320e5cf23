package io.berth.admission.quota;

import io.berth.api.Quantity;
import io.berth.api.Tree;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Persistent volume claims count by number and size, in all and per storage class.
final class ClaimEvaluator implements Evaluator {

  private static final String CLAIMS = "persistentvolumeclaims";
  private static final String STORAGE = "requests.storage";
  private static final String OF_CLASS = ".storageclass.storage.k8s.io/";
  private static final Set<String> NAMES = Set.of("count/" + CLAIMS, CLAIMS, STORAGE);

  @Override
  public boolean counts(String name) {
    return NAMES.contains(name)
        || name.endsWith(OF_CLASS + CLAIMS)
        || name.endsWith(OF_CLASS + STORAGE);
  }

  @Override
  public Map<String, Quantity> usage(Tree claim) {
    var usage = new TreeMap<String, Quantity>();
    usage.put("count/" + CLAIMS, Quantity.of(1));
    usage.put(CLAIMS, Quantity.of(1));
    var storageClass = classOf(claim);
    if (!storageClass.isEmpty()) {
      usage.put(storageClass + OF_CLASS + CLAIMS, Quantity.of(1));
    }
    var size = claim.text("spec", "resources", "requests", "storage");
    if (size != null) {
      usage.put(STORAGE, Quantity.parse(size));
      if (!storageClass.isEmpty()) {
        usage.put(storageClass + OF_CLASS + STORAGE, Quantity.parse(size));
      }
    }
    return usage;
  }

  private static String classOf(Tree claim) {
    var annotated =
        claim.text("metadata", "annotations", "volume.beta.kubernetes.io/storage-class");
    return annotated != null ? annotated : claim.textOrEmpty("spec", "storageClassName");
  }

  @Override
  public boolean isIn(Scope scope, Tree claim) {
    if (!scope.name().equals("VolumeAttributesClass")) {
      return false;
    }
    var classes = attributesClasses(claim);
    return classes.isEmpty()
        ? scope.selects(null)
        : classes.stream().anyMatch(name -> scope.selects(name));
  }

  /// The class asked for, the one in force, and the one on the way: a claim counts for each.
  private static Set<String> attributesClasses(Tree claim) {
    var classes = new HashSet<String>();
    classes.add(claim.textOrEmpty("spec", "volumeAttributesClassName"));
    classes.add(claim.textOrEmpty("status", "currentVolumeAttributesClassName"));
    classes.add(
        claim.textOrEmpty("status", "modifyVolumeStatus", "targetVolumeAttributesClassName"));
    classes.remove("");
    return classes;
  }

  @Override
  public boolean handlesUpdate(String subresource, Tree object, Tree old) {
    return true;
  }
}
